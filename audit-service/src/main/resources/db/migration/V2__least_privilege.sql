-- The service logs in as a role that may do nothing; each transaction takes on one of two (roles.sql of libs/local-infra
-- makes them all). Nobody changes or deletes a record, an access entry or a dead letter at run time.
grant usage on schema public to counterpoint_audit_intake, counterpoint_audit_staff;

grant select, insert on tenant_key, data_key, trace_record, access_entry, dead_letter to counterpoint_audit_intake;
grant select on erasure to counterpoint_audit_intake;

grant select on tenant_key, trace_record to counterpoint_audit_staff;
grant select, insert on access_entry, erasure to counterpoint_audit_staff;
grant update (purged_at) on erasure to counterpoint_audit_staff;
-- To erase is to delete keys, and to write their table anew.
grant select, delete, maintain on data_key to counterpoint_audit_staff;

-- A second line behind the queries: intake sees and writes rows of the tenant that its transaction has said, staff those
-- of one tenant or, by '*', of all.
alter table tenant_key enable row level security;
create policy intake_of_tenant on tenant_key to counterpoint_audit_intake
    using (tenant = current_setting('counterpoint.tenant', true));
create policy staff_of_tenant on tenant_key to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));

alter table data_key enable row level security;
create policy intake_of_tenant on data_key to counterpoint_audit_intake
    using (tenant = current_setting('counterpoint.tenant', true));
create policy staff_of_tenant on data_key to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));

alter table trace_record enable row level security;
create policy intake_of_tenant on trace_record to counterpoint_audit_intake
    using (tenant = current_setting('counterpoint.tenant', true));
create policy staff_of_tenant on trace_record to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));

alter table erasure enable row level security;
create policy intake_of_tenant on erasure to counterpoint_audit_intake
    using (tenant = current_setting('counterpoint.tenant', true));
create policy staff_of_tenant on erasure to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));
