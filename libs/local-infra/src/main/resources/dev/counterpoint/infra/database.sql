-- Gives the database at hand to one service. Run by a superuser after roles.sql; may be run again, and takes over the
-- tables of a database whose service was its superuser before. The service is named by a setting:
--
--   PGOPTIONS='-c counterpoint.service=audit' psql -d audit -f database.sql
do $$
declare
    service text := format('counterpoint_%s', current_setting('counterpoint.service'));
    owner text := service || '_owner';
    kept record;
begin
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to %I, %I', current_database(), service, owner);
    execute 'revoke all on schema public from public';
    execute format('alter schema public owner to %I', owner);
    execute format('grant usage on schema public to %I', service);
    for kept in
        select case when c.relkind = 'v' then 'view' else 'table' end as kind, c.oid::regclass::text as name
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
            and c.relowner <> owner::regrole
        union all
        select 'function', p.oid::regprocedure::text
        from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.proowner <> owner::regrole
    loop
        execute format('alter %s %s owner to %I', kept.kind, kept.name, owner);
    end loop;
end $$;
