-- Conversations that the server keeps.
create table conversation (
    id            text primary key,
    tenant_id     text        not null,
    created_at    timestamptz not null,
    -- As JSON.
    metadata      text,
    -- Of the item that comes next. Taken and written under the row's lock, so items become visible in their order.
    next_position bigint      not null default 0,
    expires_at    timestamptz not null
);
create index conversation_age on conversation (expires_at);

create table conversation_item (
    conversation_id text        not null references conversation (id) on delete cascade,
    position        bigint      not null,
    id              text        not null unique,
    -- As JSON, in the form in which it is shown, without sealed reasoning.
    item            text        not null,
    -- The sealed reasoning, while its turn is open, and until when it is kept.
    sealed          text,
    sealed_until    timestamptz,
    primary key (conversation_id, position)
);
create index conversation_item_sealed on conversation_item (sealed_until) where sealed_until is not null;

-- The conversation that a response is part of, and what of it came before: the items of lower positions.
alter table response add column conversation_id text, add column conversation_before bigint;
create index response_of_conversation on response (conversation_id)
    where conversation_id is not null and sealed_until is not null;
