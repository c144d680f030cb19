"""Several processes on one database, with leases of shards, and notifications between the processes."""
