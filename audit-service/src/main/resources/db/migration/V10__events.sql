-- What happened, a row each. The log commits to `body`, which is JSON in one form only; an erasure takes `personal` away, of
-- which the body holds a salted hash. The service marks each row (`mac`), and numbers it when the log has its leaf: below 0
-- when the mark is not there. The other columns serve searches; nothing that is shown comes from them.
create table event (
    id            text primary key,
    arrival       bigint generated always as identity,
    body          text  not null,
    personal      text,
    personal_salt bytea,
    salt          bytea not null,
    mac           bytea not null,
    log_index     bigint unique,
    at            timestamptz generated always as (to_timestamp((body::jsonb ->> 'at')::bigint / 1000.0)) stored,
    actor         text generated always as (body::jsonb ->> 'actor') stored,
    action        text generated always as (body::jsonb ->> 'action') stored,
    outcome       text generated always as (body::jsonb ->> 'outcome') stored,
    tenant        text generated always as (body::jsonb ->> 'tenant') stored,
    response      text generated always as (body::jsonb ->> 'response') stored,
    case_id       text generated always as (body::jsonb ->> 'case_id') stored
);
create index event_waiting on event (arrival) where log_index is null;
create index event_of_actor on event (actor, log_index);
create index event_of_action on event (action, log_index);
create index event_of_response on event (response, log_index);
create index event_of_tenant on event (tenant, log_index);
create index event_of_case on event (case_id, log_index);
create index event_of_time on event (at, log_index);

-- The log: its entries, the full tiles of hashes above them, and the last checkpoint, which is signed.
create table log_leaf (
    log_index bigint primary key,
    leaf      bytea not null
);
create table log_tile (
    level  integer not null,
    number bigint  not null,
    hashes bytea   not null,
    primary key (level, number)
);
create table log_head (
    one  boolean primary key default true check (one),
    note text not null
);
-- How many leaves a tenant has, and the index of its last one.
create table tenant_head (
    tenant text primary key,
    leaves bigint not null,
    last   bigint not null
);
-- The key of the marks, wrapped by the root keyset.
create table log_secret (
    one     boolean primary key default true check (one),
    wrapped bytea not null
);

grant select, insert on event to counterpoint_audit_intake, counterpoint_audit_staff;
grant update (log_index) on event to counterpoint_audit_staff;
grant select, insert on log_leaf, log_tile, log_head, tenant_head, log_secret to counterpoint_audit_staff;
grant update (note) on log_head to counterpoint_audit_staff;
grant update (leaves, last) on tenant_head to counterpoint_audit_staff;

-- The log takes over the entries of before, and those of replicas of the version before that still run.
alter table access_entry add column imported boolean not null default false;
create index access_entry_waiting on access_entry (seq) where not imported;
grant update (imported) on access_entry to counterpoint_audit_staff;
