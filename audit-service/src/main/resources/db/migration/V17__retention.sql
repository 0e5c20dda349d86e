-- Erasing a whole tenant destroys its keys, too.
grant delete on tenant_key to counterpoint_audit_staff;

-- A record whose retention ends loses its content; an event lists its leaf.
alter table trace_record alter column content drop not null;
grant update (content) on trace_record to counterpoint_audit_staff;

-- The events of a tenant, by their leaves: before something is destroyed, each must be as the log has it. A leaf may be any bytes.
create index log_leaf_of_event on log_leaf (substring(encode(leaf, 'escape') from '"t":"([^"]*)"'), log_index)
    where position('"k":"event"'::bytea in leaf) > 0;
