-- When the last sealed copy of what was erased has left the log of frames.
alter table erasure add column complete_at timestamptz;
update erasure set complete_at = at + interval '110 minutes';
alter table erasure alter column complete_at set not null;

-- Every erasure names its subject by a token, also where the tenant has no record yet: one may be on its way.
grant insert on tenant_key to counterpoint_audit_staff;
