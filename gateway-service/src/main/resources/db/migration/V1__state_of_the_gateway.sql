-- Who may ask.
create table tenant (
    id                  text primary key,
    name                text        not null,
    created_at          timestamptz not null,
    deleted_at          timestamptz,
    requests_per_minute integer check (requests_per_minute > 0),
    tokens_per_day      bigint check (tokens_per_day > 0),
    -- The tenant's agreement to keep raw reasoning for its compliance staff; no id, no audit.
    audit_opt_in_id     text,
    audit_agreed_by     text,
    audit_agreed_at     timestamptz
);
create unique index tenant_name on tenant (name) where deleted_at is null;

create table api_key (
    id           text primary key,
    tenant_id    text        not null references tenant (id),
    name         text        not null,
    -- SHA-256 of the key. A key has 256 random bits, so nobody guesses one from its hash and a slow hash would gain nothing.
    hash         bytea       not null unique,
    -- The key's first characters, for people to recognise it.
    prefix       text        not null,
    scopes       text        not null,
    audit        text        not null check (audit in ('NEVER', 'ASK', 'ALWAYS')),
    created_at   timestamptz not null,
    last_used_at timestamptz,
    expires_at   timestamptz,
    revoked_at   timestamptz
);
create index api_key_of_tenant on api_key (tenant_id, created_at);

-- What a tenant has used since the beginning of a minute (requests) or of a day in UTC (tokens).
create table quota_window (
    tenant_id text        not null references tenant (id),
    kind      text        not null check (kind in ('requests', 'tokens')),
    starts_at timestamptz not null,
    used      bigint      not null,
    primary key (tenant_id, kind, starts_at)
);
create index quota_window_age on quota_window (starts_at);

-- Responses and chat completions that can be read back. Content is blank once deleted_at is set; the row stays as a
-- tombstone, so that a completion that comes late finds it and does not bring the content back.
create table response (
    id                   text primary key,
    tenant_id            text        not null,
    key_id               text        not null,
    created_at           timestamptz not null,
    status               text        not null,
    model                text        not null,
    background           boolean     not null,
    stored               boolean     not null,
    previous_response_id text,
    input_items          text,
    response             text,
    finished_at          timestamptz,
    deleted_at           timestamptz,
    expires_at           timestamptz not null
);
create index response_age on response (expires_at);

-- Sealed reasoning of open turns, for clients that do not send it back; only workers can open it.
create table turn_reasoning (
    tenant_id         text        not null,
    tool_call_id      text        not null,
    encrypted_content text        not null,
    expires_at        timestamptz not null,
    primary key (tenant_id, tool_call_id)
);
create index turn_reasoning_age on turn_reasoning (expires_at);

-- Which gateway looks after which partition of the topic `frames`.
create table frame_partition (
    partition     integer primary key check (partition >= 0),
    owner         text,
    heartbeat     timestamptz,
    resume_offset bigint not null default 0
);
