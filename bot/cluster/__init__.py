"""Several processes on one PostgreSQL: who runs which shard, and how a shard goes from one process to another.

A shard of Discord belongs to the process that holds its lease, a row with an expiry and a number, the fence, which rises with
every change of hands (`storage.leases`). Each shard has a client and a service of its own. What the service writes carries the
fence, so that a process that has been frozen, or cut off, changes nothing any more once another has taken its place.

`keeper` claims and renews the leases, `sharing` decides which, `shard` runs what belongs to one, `client` is its connection,
which can take over the session of another process, `limits` keeps what Discord allows all processes together.
"""
