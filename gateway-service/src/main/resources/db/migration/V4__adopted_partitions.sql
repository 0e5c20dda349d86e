-- Gateways that live, so that each knows how large its share of the partitions is.
create table gateway_replica (
    id        text primary key,
    heartbeat timestamptz not null
);
