"""Several processes on one PostgreSQL: who runs which shard, and how a shard goes from one process to another.

A shard of Discord belongs to the process that holds its lease, a row with an expiry and a number, the fence, which rises with
every change of hands (storage/cluster). Each shard has a client and a service of its own. What the service writes carries the
fence, so that a process that was frozen or cut off changes nothing any more once another process has its shard.

`keeper` claims and renews the leases, `sharing` decides which, `shard` runs what belongs to one, `client` is its connection,
which can take over the session of another process, `limits` keeps to the limits that Discord sets for all processes together.
"""
