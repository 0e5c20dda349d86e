-- More limits, and the same for a key as for its tenant.
alter table tenant
    add column tokens_per_minute  bigint check (tokens_per_minute > 0),
    add column concurrent_streams integer check (concurrent_streams > 0);
alter table api_key
    add column requests_per_minute integer check (requests_per_minute > 0),
    add column tokens_per_minute   bigint check (tokens_per_minute > 0),
    add column tokens_per_day      bigint check (tokens_per_day > 0),
    add column concurrent_streams  integer check (concurrent_streams > 0);

create view quota_limit as
select id as subject, requests_per_minute, tokens_per_minute, tokens_per_day, concurrent_streams from tenant
union all
select id, requests_per_minute, tokens_per_minute, tokens_per_day, concurrent_streams from api_key;

drop table quota_window;

-- What a tenant or a key has used lately. What it used of a minute's limit flows off evenly, a whole limit in a minute.
create table quota (
    subject       text primary key,
    requests      double precision not null default 0,
    minute_tokens double precision not null default 0,
    day_tokens    bigint           not null default 0,
    day           date             not null default (now() at time zone 'UTC')::date,
    as_of         timestamptz      not null default now()
);
create index quota_age on quota (as_of);

-- Responses under way of those that have limits, and the tokens that are kept for them. One that nobody settles ends by
-- itself.
create table quota_lease (
    response  text primary key,
    tenant_id text        not null,
    key_id    text        not null,
    tokens    bigint      not null,
    until     timestamptz not null
);
create index quota_lease_of_tenant on quota_lease (tenant_id);
create index quota_lease_age on quota_lease (until);

-- What each response used; after two days they are sums of a day.
create table usage_entry (
    response         text primary key,
    tenant_id        text        not null references tenant (id),
    key_id           text        not null,
    model            text        not null,
    ended_at         timestamptz not null default now(),
    input_tokens     bigint      not null,
    cached_tokens    bigint      not null,
    output_tokens    bigint      not null,
    reasoning_tokens bigint      not null
);
create index usage_entry_of_tenant on usage_entry (tenant_id, ended_at);
create index usage_entry_age on usage_entry (ended_at);

create table usage_day (
    tenant_id        text   not null references tenant (id),
    key_id           text   not null,
    model            text   not null,
    day              date   not null,
    requests         bigint not null,
    input_tokens     bigint not null,
    cached_tokens    bigint not null,
    output_tokens    bigint not null,
    reasoning_tokens bigint not null,
    primary key (tenant_id, day, key_id, model)
);

-- Locks what a tenant and one of its keys have used, the tenant's first, and brings it up to now.
create function quota_hold(a_tenant text, a_key text) returns void language plpgsql as $$
declare
    at timestamptz;
begin
    insert into quota (subject) values (a_tenant), (a_key) on conflict do nothing;
    perform from quota where subject in (a_tenant, a_key) order by subject desc for update;
    at := clock_timestamp(); -- now() is when the transaction began, before it waited
    update quota q set
        requests = greatest(0, q.requests - l.requests_per_minute * passed.minutes),
        minute_tokens = greatest(0, q.minute_tokens - l.tokens_per_minute * passed.minutes),
        day_tokens = case when q.day = passed.today then q.day_tokens else 0 end,
        day = passed.today,
        as_of = at
    from quota held
        join quota_limit l on l.subject = held.subject
        cross join lateral (
            select greatest(0, extract(epoch from at - held.as_of)::double precision) / 60 as minutes,
                (at at time zone 'UTC')::date as today
        ) passed
    where q.subject = held.subject and q.subject in (a_tenant, a_key);
end $$;

-- Counts one request and keeps tokens for it, or counts nothing and says what is used up. One row for the tenant, one
-- for the key, as they stood before.
create function quota_admit(a_tenant text, a_key text, a_response text, a_tokens bigint, a_life interval)
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
        select s.subject, count(l.response) as streams, coalesce(sum(l.tokens), 0)::bigint as tokens
        from (values (a_tenant), (a_key)) s (subject)
            left join quota_lease l
                on l.tenant_id = a_tenant and l.until > clock_timestamp() and s.subject in (l.tenant_id, l.key_id)
        group by s.subject
    ), judged as materialized (
        select q.subject, l.requests_per_minute, q.requests, l.tokens_per_minute, q.minute_tokens, l.tokens_per_day,
            q.day_tokens, l.concurrent_streams, o.streams, o.tokens,
            case
                when q.day_tokens + o.tokens >= l.tokens_per_day then 'tokens_per_day'
                when q.requests + 1 > l.requests_per_minute + 1e-6 then 'requests_per_minute'
                when q.minute_tokens + o.tokens >= l.tokens_per_minute then 'tokens_per_minute'
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

-- Charges what a response used, once however often it is asked to, and ends its lease. Where nobody counted, what was
-- kept for it counts, for else whoever cancels early would use tokens for nothing.
create function quota_settle(
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
    if exists (select from quota_limit l
            where l.subject in (a_tenant, a_key) and (l.tokens_per_minute is not null or l.tokens_per_day is not null))
    then
        perform quota_hold(a_tenant, a_key);
    end if;
    delete from quota_lease where response = a_response returning tokens into kept;
    used := case when a_counted then a_input + a_output else coalesce(kept, 0) end;
    update quota set minute_tokens = minute_tokens + used, day_tokens = day_tokens + used
    where used > 0 and subject in (
        select l.subject from quota_limit l
        where l.subject in (a_tenant, a_key) and (l.tokens_per_minute is not null or l.tokens_per_day is not null));
    return true;
end $$;
