-- Rows of the two tables that nobody deletes at run time are numbered without gaps, so that a row somebody deleted is
-- missed. A sequence would leave holes where a transaction is rolled back; a counter's row is rolled back with it.
--
-- The counter's row stays locked until the transaction ends, and whoever inserts next waits for that. So there are eight
-- of them for a table, each with numbers of its own: a connection counts in one lane, and connections hardly wait.
create table row_counter (
    table_name text     not null,
    lane       smallint not null,
    -- How many rows have ever been numbered.
    last       bigint   not null,
    primary key (table_name, lane)
);

alter table trace_record add column lane smallint, add column number bigint;
alter table access_entry add column lane smallint, add column number bigint;

-- What is there already is in lane 0; what was deleted before is not known.
update trace_record t set lane = 0, number = n.number
from (select seq, row_number() over (order by seq) as number from trace_record) n where n.seq = t.seq;
update access_entry t set lane = 0, number = n.number
from (select seq, row_number() over (order by seq) as number from access_entry) n where n.seq = t.seq;

insert into row_counter
select 'trace_record', lane, case when lane = 0 then (select count(*) from trace_record) else 0 end
from generate_series(0, 7) lane
union all
select 'access_entry', lane, case when lane = 0 then (select count(*) from access_entry) else 0 end
from generate_series(0, 7) lane;

alter table trace_record alter column lane set not null, alter column number set not null;
alter table access_entry alter column lane set not null, alter column number set not null;
create unique index trace_record_number on trace_record (lane, number);
create unique index access_entry_number on access_entry (lane, number);

-- Runs with the rights of the owner, so that no role of run time can turn a counter back, and whatever number an insert
-- brings is replaced.
create function take_number() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    new.lane := pg_backend_pid() % 8;
    update row_counter set last = last + 1
    where table_name = tg_table_name and lane = new.lane
    returning last into strict new.number;
    return new;
end $$;
revoke execute on function take_number() from public;
create trigger take_number before insert on trace_record for each row execute function take_number();
create trigger take_number before insert on access_entry for each row execute function take_number();

grant select on row_counter to counterpoint_audit_staff;
