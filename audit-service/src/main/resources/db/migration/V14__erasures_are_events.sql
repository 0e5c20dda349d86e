-- An erasure takes the person out of rows. `personal_hash` is what the log commits to of it, `removed_by` the event that lists the leaf.
alter table trace_record
    alter column subject_token drop not null,
    alter column conversation drop not null,
    add column personal_hash bytea,
    add column removed_by    text;
grant update (subject_token, conversation, personal_salt, personal_hash, removed_by) on trace_record to counterpoint_audit_staff;

-- Receipts are events. The table holds what an erasure still has to do; the version before, which may run beside this, writes the rest.
alter table erasure
    alter column actor drop not null,
    alter column case_id drop not null,
    alter column reason drop not null,
    alter column key_ids drop not null,
    alter column records drop not null,
    alter column complete_at drop not null;
grant update (subject_token) on erasure to counterpoint_audit_staff;
create index erasure_of_subject on erasure (subject_token) where subject_token is not null;
