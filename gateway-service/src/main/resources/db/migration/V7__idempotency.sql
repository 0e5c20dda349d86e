-- Requests that are to be run once: which response a key of a tenant's stands for.
create table idempotency_key (
    tenant_id  text        not null,
    name       text        not null,
    -- SHA-256 of all that must be the same: the path, the API key and the body.
    request    bytea       not null,
    response   text        not null,
    expires_at timestamptz not null,
    primary key (tenant_id, name)
);
create index idempotency_key_of_response on idempotency_key (response);
create index idempotency_key_age on idempotency_key (expires_at);
