-- Records get leaves too. The log commits to all columns but these and the numbers: to subject and conversation by a salted hash,
-- so that they can be erased, to the content by the hash of its ciphertext. Null in rows that the version before wrote, which may
-- run beside this, until the log takes them over.
alter table trace_record
    add column salt          bytea,
    add column mac           bytea,
    add column content_hash  bytea,
    add column personal_salt bytea,
    add column imported      boolean not null default false,
    add column log_index     bigint unique;
create index trace_record_waiting on trace_record (seq) where log_index is null;
create index trace_record_old on trace_record (seq) where mac is null;
grant update (salt, mac, content_hash, personal_salt, imported, log_index) on trace_record
    to counterpoint_audit_staff;

-- What the log refused is numbered below 0.
create sequence log_refused;
grant usage on sequence log_refused to counterpoint_audit_staff;

-- Searches by one thing, the newest first.
create index trace_record_of_model on trace_record (model, seq);
create index trace_record_of_api_key on trace_record (key_id, seq);
create index trace_record_of_time on trace_record (accepted_at);

-- Rows with a leaf need no number: the log shows what is missing. Those of the version before are numbered until they have one.
alter table trace_record alter column lane drop not null, alter column number drop not null;
drop trigger take_number on trace_record;
create trigger take_number before insert on trace_record for each row when (new.mac is null)
    execute function take_number();
