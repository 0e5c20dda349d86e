-- A response may have two records: `response` holds its id for a worker's whole trace, its id and `.partial` for a gateway's. An event
-- `response_closed` is what a gateway attests of its end.
create index trace_record_of_response on trace_record (split_part(response, '.', 1), seq);
create index trace_record_of_storing on trace_record using brin (stored_at);
create index event_flagged on event (response) where outcome = 'flagged';

-- What marks responses for review, of that which became due from one time to another. A trace is appended before the end that a
-- gateway attests, so two minutes are enough for it; no closing comes after `patience`. Records of the time before the first closing,
-- and of so long after it, need none: gateways of the version before may run that long.
create function findings(since timestamptz, until timestamptz, patience double precision)
returns table (response text, tenant text, action text, detail text) language sql stable as $$
    with times as (
        select since - interval '2 minutes' as since, until - interval '2 minutes' as until, make_interval(secs => patience) as patience
    ), closed as (
        select e.response, e.tenant, e.body::jsonb as body, e.personal::jsonb as personal from event e, times
        where e.action = 'response_closed' and e.log_index >= 0 and e.at > times.since and e.at <= times.until
    ), stored as (
        select split_part(r.response, '.', 1) as response from trace_record r, times
        where r.stored_at > times.since and r.stored_at <= times.until
    ), first_closed as (
        select e.at from event e where e.action = 'response_closed' and e.log_index >= 0 order by e.log_index limit 1
    )
    select c.response, c.tenant, case when r.response is null then 'missing' else 'disputed' end, null
    from closed c left join trace_record r on split_part(r.response, '.', 1) = c.response
    where r.response is null or encode(r.subject_token, 'hex') <> c.personal ->> 'subject_token'
        or (r.tenant, r.key_id, r.model, r.opt_in)
            <> (c.tenant, c.body ->> 'actor', c.body ->> 'model', c.body ->> 'consent')
    union all
    select c.response, c.tenant, 'withheld', 'verdict=' || (c.body ->> 'verdict') || ' ended_by=' || (c.body ->> 'ended_by') from closed c
    where c.body ->> 'verdict' in ('withheld', 'abandoned') or c.body ->> 'ended_by' = 'CONTENT_FILTER'
    union all
    select whole.response, whole.tenant, 'corrected',
        'whole=' || encode(whole.content_hash, 'hex') || ' partial=' || encode(part.content_hash, 'hex')
    from stored join trace_record whole on whole.response = stored.response
    join trace_record part on part.response = stored.response || '.partial'
    union all
    select split_part(r.response, '.', 1), r.tenant, 'unconfirmed', null from trace_record r, times, first_closed
    where r.stored_at > $1 - times.patience and r.stored_at <= $2 - times.patience and r.stored_at >= first_closed.at + times.patience
        and not exists (select 1 from event e where e.id = 'response_closed_' || split_part(r.response, '.', 1) and e.log_index >= 0)
$$;

-- What was found since and is still so.
create function open_findings(since timestamptz) returns table (response text, action text) language sql stable as $$
    select f.response, f.action from event f where f.outcome = 'flagged' and f.at > since and f.log_index >= 0 and (
        f.action = 'missing'
            and not exists (select 1 from trace_record r where split_part(r.response, '.', 1) = f.response)
        or f.action = 'unconfirmed' and not exists (select 1 from event e where e.id = 'response_closed_' || f.response))
$$;
