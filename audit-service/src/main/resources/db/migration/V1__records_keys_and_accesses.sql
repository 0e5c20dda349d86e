-- A tenant's keys, wrapped by the root keyset: one wraps its data keys, one makes the tokens of its subjects.
create table tenant_key (
    tenant             text primary key,
    wrapped_key        bytea       not null,
    wrapped_search_key bytea       not null,
    created_at         timestamptz not null
);

-- The key of one subject's records of one month, wrapped by the tenant's key. Deleting the row is what erases.
create table data_key (
    id            text primary key,
    tenant        text        not null references tenant_key (tenant),
    subject_token bytea       not null,
    month         text        not null,
    wrapped_key   bytea       not null,
    created_at    timestamptz not null,
    unique (tenant, subject_token, month)
);

-- One row for each opted-in response. Every column but seq and content is bound to content by its associated data.
create table trace_record (
    seq              bigint generated always as identity primary key,
    response         text        not null unique,
    tenant           text        not null,
    -- HMAC of the end user, or of the API key where the request names none.
    subject_token    bytea       not null,
    key_id           text        not null,
    model            text        not null,
    status           text        not null,
    -- How it ended, in the words of the bus.
    reason           text        not null,
    accepted_at      timestamptz not null,
    ended_at         timestamptz not null,
    stored_at        timestamptz not null,
    opt_in           text        not null,
    conversation     text        not null,
    -- Whether it comes from the owner of a response that no worker ended, and what is missing then.
    partial          boolean     not null,
    cut              boolean     not null,
    unopened_frames  integer     not null,
    input_tokens     integer     not null,
    output_tokens    integer     not null,
    reasoning_tokens integer     not null,
    segments         integer     not null,
    -- No foreign key: the record stays when its key is destroyed.
    data_key_id      text        not null,
    content          bytea       not null
);
create index trace_record_of_tenant on trace_record (tenant, seq);
create index trace_record_of_subject on trace_record (subject_token, seq);
create index trace_record_of_key on trace_record (data_key_id);

-- Who searched, read, erased, was refused, or saw raw reasoning. Written before what it tells of takes effect.
create table access_entry (
    seq           bigint generated always as identity primary key,
    id            text        not null unique,
    at            timestamptz not null,
    actor         text        not null,
    source        text        not null check (source in ('gateway', 'audit')),
    action        text        not null,
    outcome       text        not null,
    tenant        text,
    response      text,
    subject_token bytea,
    case_id       text,
    reason        text,
    -- How many records it concerned.
    records       integer     not null,
    detail        text
);
create index access_entry_of_actor on access_entry (actor, seq);
create index access_entry_of_response on access_entry (response, seq);
create index access_entry_of_tenant on access_entry (tenant, seq);

-- Receipts of erasures.
create table erasure (
    id            text primary key,
    at            timestamptz not null,
    actor         text        not null,
    case_id       text        not null,
    reason        text        not null,
    tenant        text        not null,
    subject_token bytea,
    -- The ids of the destroyed keys, separated by blanks.
    key_ids       text        not null,
    records       bigint      not null,
    -- When the space on disk that held the keys was written anew.
    purged_at     timestamptz
);
create index erasure_not_purged on erasure (at) where purged_at is null;

-- Records of the bus that could not be read, as they came: still sealed.
create table dead_letter (
    id           bigint generated always as identity primary key,
    topic        text        not null,
    partition    integer     not null,
    kafka_offset bigint      not null,
    received_at  timestamptz not null,
    cause        text        not null,
    body         bytea       not null,
    unique (topic, partition, kafka_offset)
);
