-- What responses used and nobody has added yet to what their tenant and key have used. An ending writes its own row here
-- and waits for no other ending; batches move the rows on.
create table quota_due (
    response  text primary key,
    tenant_id text   not null,
    key_id    text   not null,
    tokens    bigint not null
);
create index quota_due_of_tenant on quota_due (tenant_id);
grant select, insert, update, delete on quota_due to counterpoint_gateway;

-- Charges what a response used, once however often it is asked to, and ends its lease: as quota_settle, which gateways of
-- earlier versions call, but without a lock that another response needs.
create function quota_charge(
    a_tenant text, a_key text, a_response text, a_model text, a_counted boolean,
    a_input bigint, a_cached bigint, a_output bigint, a_reasoning bigint)
returns boolean language plpgsql as $$
declare
    kept bigint;
    used bigint;
begin
    insert into usage_entry (
        response, tenant_id, key_id, model, input_tokens, cached_tokens, output_tokens, reasoning_tokens)
    values (a_response, a_tenant, a_key, a_model, a_input, a_cached, a_output, a_reasoning)
    on conflict do nothing;
    if not found then
        return false;
    end if;
    delete from quota_lease where response = a_response returning tokens into kept;
    used := case when a_counted then a_input + a_output else coalesce(kept, 0) end;
    insert into quota_due
    select a_response, a_tenant, a_key, used
    where used > 0 and exists (
        select from quota_limit l
        where l.subject in (a_tenant, a_key) and (l.tokens_per_minute is not null or l.tokens_per_day is not null))
    on conflict do nothing;
    return true;
end $$;

-- Adds some of what is due to what its tenants and keys have used, and says how many responses that were.
create function quota_settle_due(a_most integer) returns integer language plpgsql as $$
declare
    one record;
    settled integer := 0;
begin
    perform set_config('synchronous_commit', 'off', true); -- a crash of the database forgets a moment's counts
    for one in
        with taken as (
            select response from quota_due order by tenant_id limit a_most for update skip locked
        ), gone as (
            delete from quota_due where response in (select response from taken) returning tenant_id, key_id, tokens
        )
        select tenant_id, key_id, sum(tokens)::bigint as tokens, count(*)::integer as responses
        from gone group by 1, 2 order by 1, 2
    loop
        perform quota_hold(one.tenant_id, one.key_id);
        update quota set minute_tokens = minute_tokens + one.tokens, day_tokens = day_tokens + one.tokens
        where subject in (
            select l.subject from quota_limit l
            where l.subject in (one.tenant_id, one.key_id)
                and (l.tokens_per_minute is not null or l.tokens_per_day is not null));
        settled := settled + one.responses;
    end loop;
    return settled;
end $$;

-- As before, and what is due counts as used.
create or replace function quota_admit(a_tenant text, a_key text, a_response text, a_tokens bigint, a_life interval)
returns table (
    subject text, requests_max integer, requests_used double precision, minute_max bigint, minute_used double precision,
    day_max bigint, day_used bigint, streams_max integer, streams bigint, reserved bigint, refused text)
language plpgsql as $$
#variable_conflict use_column
begin
    perform set_config('synchronous_commit', 'off', true); -- a crash of the database forgets a moment's counts
    perform quota_hold(a_tenant, a_key);
    return query
    with open as (
        select s.subject, count(l.response) as streams, coalesce(sum(l.tokens), 0)::bigint as tokens,
            coalesce((
                select sum(d.tokens) from quota_due d
                where d.tenant_id = a_tenant and s.subject in (d.tenant_id, d.key_id)), 0)::bigint as due
        from (values (a_tenant), (a_key)) s (subject)
            left join quota_lease l
                on l.tenant_id = a_tenant and l.until > clock_timestamp() and s.subject in (l.tenant_id, l.key_id)
        group by s.subject
    ), judged as materialized (
        select q.subject, l.requests_per_minute, q.requests, l.tokens_per_minute, q.minute_tokens + o.due as minute_used,
            l.tokens_per_day, q.day_tokens + o.due as day_used, l.concurrent_streams, o.streams, o.tokens,
            case
                when q.day_tokens + o.due + o.tokens >= l.tokens_per_day then 'tokens_per_day'
                when q.requests + 1 > l.requests_per_minute + 1e-6 then 'requests_per_minute'
                when q.minute_tokens + o.due + o.tokens >= l.tokens_per_minute then 'tokens_per_minute'
                when o.streams >= l.concurrent_streams then 'concurrent_streams'
            end as refused
        from quota q join quota_limit l on l.subject = q.subject join open o on o.subject = q.subject
    ), admitted as (
        select where not exists (select from judged where refused is not null)
    ), counted as (
        update quota q set requests = q.requests + 1
        from judged j, admitted
        where q.subject = j.subject and j.requests_per_minute is not null
    ), leased as (
        insert into quota_lease
        select a_response, a_tenant, a_key, a_tokens, clock_timestamp() + a_life from admitted
    )
    select * from judged;
end $$;
