"""Several processes on one PostgreSQL: which of them runs which shard, and how a shard changes hands.

A shard of Discord belongs to the process that holds its lease: a row with an expiry, and a number, the fence, that rises with
every change of hands (storage/cluster). Each shard has a client and services of its own. Their writes carry the fence, so a
process that was frozen or cut off changes nothing once another has its shard.

`keeper` claims and renews the leases, `sharing` decides which, `shard` runs what belongs to one, `client` is its connection and
can take over another process's session, and `limits` keeps the limits that Discord sets for all processes together.
"""
