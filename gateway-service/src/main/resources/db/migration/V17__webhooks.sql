-- Where a project hears of the ends of its background responses.
create table webhook_endpoint (
    id              text primary key,
    tenant_id       text        not null,
    project         text        not null,
    name            text        not null,
    url             text        not null,
    -- Names with commas between them.
    event_types     text        not null,
    -- Sealed to gateways, as is the one before, which signs too until its time is over.
    secret          text        not null,
    secret_hint     text        not null,
    previous_secret text,
    previous_until  timestamptz,
    sealed_at       timestamptz not null default now(),
    -- Until when a gateway brings events to it; one that dies lets it lapse.
    leased_until    timestamptz not null default now(),
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);
create index webhook_endpoint_of_project on webhook_endpoint (tenant_id, project, created_at);
create index webhook_endpoint_sealed on webhook_endpoint (sealed_at);

-- Events that an endpoint has not confirmed yet.
create table webhook_delivery (
    number      bigint generated always as identity primary key,
    endpoint_id text        not null references webhook_endpoint (id) on delete cascade,
    tenant_id   text        not null,
    event_id    text        not null,
    event_type  text        not null,
    response_id text        not null,
    created_at  timestamptz not null default now(),
    due_at      timestamptz not null default now(),
    attempts    integer     not null default 0
);
create index webhook_delivery_due on webhook_delivery (due_at, endpoint_id);
create index webhook_delivery_of_response on webhook_delivery (endpoint_id, response_id, number);

grant select, insert, update, delete on webhook_endpoint, webhook_delivery to counterpoint_gateway;
alter table webhook_endpoint enable row level security;
create policy webhook_endpoint_of_tenant on webhook_endpoint
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));
alter table webhook_delivery enable row level security;
create policy webhook_delivery_of_tenant on webhook_delivery
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));

-- Part of the transaction that ends the response, in gateways of earlier versions too.
create function webhook_announce() returns trigger language plpgsql as $$
declare
    event text := 'evt_' || replace(cast(gen_random_uuid() as text), '-', '');
begin
    insert into webhook_delivery (endpoint_id, tenant_id, event_id, event_type, response_id)
    select id, tenant_id, event, 'response.' || new.status, new.id
    from webhook_endpoint
    where tenant_id = new.tenant_id and project = new.project
        and 'response.' || new.status = any (string_to_array(event_types, ','));
    return null;
end $$;
create trigger webhook_announce after update of finished_at on response for each row
    when (old.finished_at is null and new.finished_at is not null and new.background and new.deleted_at is null)
    execute function webhook_announce();
