-- The roles of the services, for a whole PostgreSQL server. Run by a superuser, in any database; may be run again.
-- Each login role needs a password afterwards: alter role counterpoint_gateway password '…';
--
--   counterpoint_gateway_owner   runs the gateway's migrations, owns its tables
--   counterpoint_gateway         the gateway at run time: reads and writes rows, one tenant at a time
--   counterpoint_audit_owner     runs the audit service's migrations, owns its tables
--   counterpoint_audit           the audit service at run time: by itself it may do nothing; each transaction takes on
--   counterpoint_audit_intake      to add records and entries, or
--   counterpoint_audit_staff       to search, read and erase for staff
do $$
declare
    role_name text;
begin
    foreach role_name in array array['counterpoint_gateway_owner', 'counterpoint_gateway', 'counterpoint_audit_owner',
            'counterpoint_audit', 'counterpoint_audit_intake', 'counterpoint_audit_staff'] loop
        if not exists (select from pg_roles where rolname = role_name) then
            execute format('create role %I', role_name);
        end if;
        execute format('alter role %I %s nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit',
            role_name,
            case when role_name in ('counterpoint_audit_intake', 'counterpoint_audit_staff') then 'nologin' else 'login' end);
    end loop;
    grant counterpoint_audit_intake, counterpoint_audit_staff to counterpoint_audit with inherit false, set true;
end $$;
revoke connect, temporary on database postgres from public;
