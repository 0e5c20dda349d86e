-- An erasure rewrites the file of the keys that it deleted, while nobody may read the table in it. So the table has 256
-- files, and all keys of a subject stand in one of them. The version before may run beside this: it names the table only.
create table partitioned_data_key (
    id            text        not null,
    tenant        text        not null references tenant_key (tenant),
    subject_token bytea       not null,
    month         text        not null,
    wrapped_key   bytea       not null,
    created_at    timestamptz not null,
    primary key (id, subject_token),
    unique (tenant, subject_token, month)
) partition by hash (subject_token);

do $$ begin
    for number in 0..255 loop
        execute format(
            'create table data_key_%s partition of partitioned_data_key for values with (modulus 256, remainder %s)',
            number, number);
        execute format('grant maintain on data_key_%s to counterpoint_audit_staff', number);
    end loop;
end $$;

lock table data_key in access exclusive mode;
insert into partitioned_data_key (id, tenant, subject_token, month, wrapped_key, created_at)
select id, tenant, subject_token, month, wrapped_key, created_at from data_key;
drop table data_key;
alter table partitioned_data_key rename to data_key;

grant select, insert on data_key to counterpoint_audit_intake;
grant select, delete, maintain on data_key to counterpoint_audit_staff;
alter table data_key enable row level security;
create policy intake_of_tenant on data_key to counterpoint_audit_intake
    using (tenant = current_setting('counterpoint.tenant', true));
create policy staff_of_tenant on data_key to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));
