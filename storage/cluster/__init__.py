"""Several processes on one database: leases of shards, and notifications between processes."""
