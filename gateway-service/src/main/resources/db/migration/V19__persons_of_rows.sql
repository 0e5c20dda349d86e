-- Whose a row is: the token of the end user, or of the API key where the request named no end user. Null in rows of gateways of earlier
-- versions, which the background job fills; empty where nothing tells it.
alter table response add column subject_token bytea;
alter table turn_reasoning add column subject_token bytea, add column accepted_at timestamptz;
-- Of a conversation: the API key that made it. The persons of its turns are in conversation_subject.
alter table conversation add column subject_token bytea;
create index response_of_subject on response (tenant_id, subject_token, created_at);
create index response_without_subject on response (tenant_id, created_at) where subject_token is null and deleted_at is null;
create index turn_reasoning_of_subject on turn_reasoning (tenant_id, subject_token) where subject_token is not null;
create index conversation_of_subject on conversation (tenant_id, subject_token) where subject_token is not null;
create index webhook_delivery_response on webhook_delivery (response_id);

-- The persons of a conversation's turns, each with the time of the first one.
create table conversation_subject (
    conversation_id text        not null references conversation (id) on delete cascade,
    tenant_id       text        not null,
    subject_token   bytea       not null,
    since           timestamptz not null,
    primary key (conversation_id, subject_token)
);
create index conversation_subject_of_subject on conversation_subject (tenant_id, subject_token);

-- Also for rows that are filled later. The conversation is locked, so that it is not deleted meanwhile.
create function conversation_subject_note() returns trigger language plpgsql as $$
begin
    insert into conversation_subject (conversation_id, tenant_id, subject_token, since)
    select id, new.tenant_id, new.subject_token, new.created_at
    from conversation where id = new.conversation_id for key share
    on conflict (conversation_id, subject_token) do update set since = least(conversation_subject.since, excluded.since)
        where excluded.since < conversation_subject.since;
    return null;
end $$;
create trigger conversation_subject_note after insert or update of subject_token on response for each row
    when (new.conversation_id is not null and length(new.subject_token) > 0)
    execute function conversation_subject_note();

-- The erasures of the topic `audit-log`, and what was deleted for each.
create table person_erasure (
    id            text primary key,
    tenant_id     text        not null,
    subject_token bytea       not null,
    erased_at     timestamptz not null,
    received_at   timestamptz not null default now(),
    responses     bigint      not null default 0,
    completions   bigint      not null default 0,
    conversations bigint      not null default 0,
    reasoning     bigint      not null default 0,
    deliveries    bigint      not null default 0,
    -- When the counts were put on record.
    answered_at   timestamptz
);
create index person_erasure_unanswered on person_erasure (received_at) where answered_at is null;
create index person_erasure_received on person_erasure (received_at);

-- How far the topic was read, and which gateway does the work until when.
create table person_erasure_work (
    one        boolean primary key default true check (one),
    position   bigint      not null default 0,
    gateway    text        not null default '',
    held_until timestamptz not null default now()
);
insert into person_erasure_work default values;

grant select, insert, update, delete on conversation_subject to counterpoint_gateway;
grant select, insert, update on person_erasure to counterpoint_gateway;
grant select, update on person_erasure_work to counterpoint_gateway;
alter table conversation_subject enable row level security;
create policy conversation_subject_of_tenant on conversation_subject
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));
alter table person_erasure enable row level security;
create policy person_erasure_of_tenant on person_erasure
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));

-- As the procedure of the same name without the token, which gateways of earlier versions call.
create procedure response_begin(
    a_tenant text, a_project text, a_key text, a_response text, a_gateway text,
    a_tokens bigint, a_lease_seconds double precision,
    a_name text, a_request bytea, a_claim_seconds double precision,
    a_id text, a_created_at timestamptz, a_model text, a_background boolean, a_stored boolean,
    a_previous text, a_input_items text, a_expires_at timestamptz, a_sealed_until timestamptz,
    a_conversation text, a_before bigint, a_subject_token bytea,
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
        input_items, expires_at, sealed_until, conversation_id, conversation_before, gateway, subject_token)
    values (
        a_id, a_tenant, a_project, a_key, a_created_at, 'in_progress', a_model, a_background, a_stored, a_previous,
        a_input_items, a_expires_at, a_sealed_until, a_conversation, a_before, a_gateway,
        a_subject_token);
end $$;
grant execute on procedure response_begin(
    text, text, text, text, text, bigint, double precision, text, bytea, double precision, text, timestamptz, text, boolean, boolean,
    text, text, timestamptz, timestamptz, text, bigint, bytea, text, text) to counterpoint_gateway;
