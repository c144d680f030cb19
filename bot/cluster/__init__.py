"""Several processes on one PostgreSQL database: which of them runs which shard, and how a shard changes hands.

Each of Discord's shards belongs to the process that holds its lease. A lease is a row with an expiry time and with a number,
the fence, which rises whenever the shard changes hands (storage/cluster). Each shard has its own client and services. Their
writes carry the fence, so a process that was frozen or cut off changes nothing once another process has its shard.

`keeper` claims and renews the leases, and `sharing` decides which ones. `shard` runs everything that belongs to one shard.
`client` is the shard's connection, which can take over another process's session. `limits` keeps the limits that Discord sets
for all processes together.
"""
