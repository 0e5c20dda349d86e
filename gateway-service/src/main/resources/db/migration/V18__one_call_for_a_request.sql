-- How a tenant or one of its keys stands before a request is counted; null where there is no limit.
create type quota_standing as (
    of_key        boolean,
    requests_max  integer,
    requests_used double precision,
    minute_max    bigint,
    minute_used   double precision,
    day_max       bigint,
    day_used      bigint,
    streams_max   integer,
    streams       bigint,
    reserved      bigint,
    refused       text
);

-- What is used is written with each request. Without an index on the time that takes no new index entries.
drop index quota_age;
alter table quota set (fillfactor = 50);

-- Counts one request and keeps tokens for it, or counts nothing and says what is used up: as quota_admit, which gateways
-- of earlier versions call, in short statements that PostgreSQL plans once. The tenant's row is the lock for all its keys.
-- Leases come and go, and only a plain index scan passes over those that are gone until the next vacuum.
create function quota_enter(
    a_tenant text, a_key text, a_response text, a_tokens bigint, a_life interval,
    out standing text, out refused boolean)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_bitmapscan = off set enable_seqscan = off as $$
declare
    at timestamptz;
    today date;
    open record;
    due record;
    one quota_standing;
    all_of quota_standing[] := '{}';
begin
    perform from quota where subject = a_tenant for update;
    if not found then
        insert into quota (subject) values (a_tenant) on conflict do nothing;
        perform from quota where subject = a_tenant for update;
    end if;
    at := clock_timestamp(); -- now() is when the transaction began, before it waited
    today := (at at time zone 'UTC')::date;
    select count(*) as streams, count(*) filter (where key_id = a_key) as of_key,
        coalesce(sum(tokens), 0)::bigint as tokens,
        coalesce(sum(tokens) filter (where key_id = a_key), 0)::bigint as tokens_of_key
    into open from quota_lease where tenant_id = a_tenant and until > at;
    select coalesce(sum(tokens), 0)::bigint as tokens,
        coalesce(sum(tokens) filter (where key_id = a_key), 0)::bigint as tokens_of_key
    into due from quota_due where tenant_id = a_tenant;
    refused := false;
    for one in
        select m.of_key, m.requests_per_minute, greatest(0, q.requests - m.requests_per_minute * passed.minutes),
            m.tokens_per_minute, greatest(0, q.minute_tokens - m.tokens_per_minute * passed.minutes)
                + case when m.of_key then due.tokens_of_key else due.tokens end,
            m.tokens_per_day, case when q.day = today then q.day_tokens else 0 end
                + case when m.of_key then due.tokens_of_key else due.tokens end,
            m.concurrent_streams, case when m.of_key then open.of_key else open.streams end,
            case when m.of_key then open.tokens_of_key else open.tokens end
        from (
                select id, false as of_key, requests_per_minute, tokens_per_minute, tokens_per_day, concurrent_streams
                from tenant where id = a_tenant
                union all
                select id, true, requests_per_minute, tokens_per_minute, tokens_per_day, concurrent_streams
                from api_key where id = a_key) m
            left join quota q on q.subject = m.id
            cross join lateral (
                select greatest(0, extract(epoch from at - q.as_of)::double precision) / 60 as minutes) passed
    loop
        one.refused := case
            when one.day_used + one.reserved >= one.day_max then 'tokens_per_day'
            when one.requests_used + 1 > one.requests_max + 1e-6 then 'requests_per_minute'
            when one.minute_used + one.reserved >= one.minute_max then 'tokens_per_minute'
            when one.streams >= one.streams_max then 'concurrent_streams'
        end;
        refused := refused or one.refused is not null;
        all_of := all_of || one;
    end loop;
    standing := array_to_json(all_of);
    if refused then
        return;
    end if;
    foreach one in array all_of loop
        if one.requests_max is not null then
            insert into quota as held (subject, requests, day, as_of)
            values (case when one.of_key then a_key else a_tenant end, one.requests_used + 1, today, at)
            on conflict (subject) do update set
                requests = excluded.requests,
                minute_tokens = greatest(0, held.minute_tokens
                    - one.minute_max * greatest(0, extract(epoch from at - held.as_of)::double precision) / 60),
                day_tokens = case when held.day = today then held.day_tokens else 0 end,
                day = today,
                as_of = at;
        end if;
    end loop;
    insert into quota_lease values (a_response, a_tenant, a_key, a_tokens, at + a_life);
end $$;

-- Begins a response: claims its idempotency key, counts it, and writes its row, each where there is one. All or nothing,
-- but for one thing: where there is a row, the claim and the count are committed before it, so that the lock on what a
-- tenant has used is not held while the row is flushed to disk. A gateway gives back what is left of a row that cannot
-- be written.
--
-- The outcome is BEGUN; or TAKEN when the key stands for another response; REFUSED when the standing says that a limit
-- leaves no room; BUSY when the place in the conversation is not the last one any more.
create procedure response_begin(
    a_tenant text, a_project text, a_key text, a_response text, a_gateway text,
    a_tokens bigint, a_lease_seconds double precision,
    a_name text, a_request bytea, a_claim_seconds double precision,
    a_id text, a_created_at timestamptz, a_model text, a_background boolean, a_stored boolean,
    a_previous text, a_input_items text, a_expires_at timestamptz, a_sealed_until timestamptz,
    a_conversation text, a_before bigint,
    inout outcome text, inout standing text)
language plpgsql as $$
declare
    durable text := current_setting('synchronous_commit');
    place bigint;
    refused boolean;
begin
    outcome := 'BEGUN';
    perform set_config('counterpoint.tenant', a_tenant, true);
    if a_name is not null then
        insert into idempotency_key as held (tenant_id, name, request, response, expires_at, gateway)
        values (a_tenant, a_name, a_request, a_response, now() + make_interval(secs => a_claim_seconds), a_gateway)
        on conflict (tenant_id, name) do update
            set request = excluded.request, response = excluded.response, expires_at = excluded.expires_at,
                gateway = excluded.gateway
            where held.expires_at <= now();
        if not found then
            outcome := 'TAKEN';
            return;
        end if;
    end if;
    if a_tokens is not null then
        select e.standing, e.refused into standing, refused
        from quota_enter(a_tenant, a_key, a_response, a_tokens, make_interval(secs => a_lease_seconds)) e;
        if refused then
            rollback;
            outcome := 'REFUSED';
            return;
        end if;
        if a_id is not null or a_name is null then
            perform set_config('synchronous_commit', 'off', true); -- a crash of the database forgets a moment's counts
            commit;
            perform set_config('synchronous_commit', durable, true), set_config('counterpoint.tenant', a_tenant, true);
        end if;
    end if;
    if a_id is null then
        return;
    end if;
    if a_conversation is not null then
        -- Locked until the new row can be seen, so of two only one finds the place free.
        select next_position into place from conversation where id = a_conversation for update;
        if place <> a_before or exists (
                select from response
                where conversation_id = a_conversation and finished_at is null and deleted_at is null) then
            outcome := 'BUSY';
            return;
        end if;
    end if;
    insert into response (
        id, tenant_id, project, key_id, created_at, status, model, background, stored, previous_response_id,
        input_items, expires_at, sealed_until, conversation_id, conversation_before, gateway)
    values (
        a_id, a_tenant, a_project, a_key, a_created_at, 'in_progress', a_model, a_background, a_stored, a_previous,
        a_input_items, a_expires_at, a_sealed_until, a_conversation, a_before, a_gateway);
end $$;

-- Ends a response with a row: writes the ending and charges for it, once. Returns "ended"; "not-first" where there is no
-- row without an ending; "sealed" where sealed reasoning of the turn has to be taken away with it: then it changed nothing.
create function response_end(
    a_id text, a_tenant text, a_status text, a_json text, a_sealed_until timestamptz, a_answered text[],
    a_key text, a_response text, a_model text, a_counted boolean,
    a_input bigint, a_cached bigint, a_output bigint, a_reasoning bigint)
returns text language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
    perform set_config('counterpoint.tenant', a_tenant, true);
    if exists (
            select from response
            where id = any (a_answered) and tenant_id = a_tenant
                and (sealed_until is not null or previous_response_id is not null)) then
        if exists (
                with recursive turn (id, previous, depth) as (
                    select id, previous_response_id, 1 from response
                    where id = any (a_answered) and tenant_id = a_tenant
                    union all
                    select r.id, r.previous_response_id, depth + 1
                    from response r join turn on r.id = turn.previous
                    where r.tenant_id = a_tenant and depth < 1000)
                select from response where id in (select id from turn) and sealed_until is not null) then
            return 'sealed';
        end if;
    end if;
    update response set
        status = case when deleted_at is null then a_status else status end,
        response = case when deleted_at is null then a_json else response end,
        finished_at = now(),
        sealed_until = case when deleted_at is null then coalesce(a_sealed_until, sealed_until) else sealed_until end
    where id = a_id and tenant_id = a_tenant and finished_at is null;
    if not found then
        return 'not-first';
    end if;
    perform quota_charge(
        a_tenant, a_key, a_response, a_model, a_counted, a_input, a_cached, a_output, a_reasoning);
    return 'ended';
end $$;

grant execute on function quota_enter, response_end to counterpoint_gateway;
grant execute on procedure response_begin to counterpoint_gateway;
