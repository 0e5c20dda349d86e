-- When the root key changes, the service wraps anew what the old one wrapped.
grant update (wrapped_key, wrapped_search_key) on tenant_key to counterpoint_audit_staff;
grant update (wrapped) on log_secret to counterpoint_audit_staff;

-- Dead letters get leaves: one that is changed or deleted shows. Those of before, and of the version before that may run beside
-- this, have no mark and no leaf. Staff may not read a body: a changed one shows by its hash.
alter table dead_letter
    add column place     text generated always as (topic || '/' || partition::text || '/' || kafka_offset::text) stored unique,
    add column body_hash bytea generated always as (sha256(body)) stored,
    add column salt      bytea,
    add column mac       bytea,
    add column log_index bigint unique;
create index dead_letter_waiting on dead_letter (id) where log_index is null and mac is not null;
grant select (id, place, topic, partition, kafka_offset, received_at, cause, body_hash, salt, mac, log_index) on dead_letter
    to counterpoint_audit_staff;
grant update (log_index) on dead_letter to counterpoint_audit_staff;
