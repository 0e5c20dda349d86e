-- What stored chat completions are looked for by.
create index completion_of_tenant on response (tenant_id, created_at, id) where id like 'chatcmpl-%';

create table completion_metadata (
    completion_id text not null references response (id) on delete cascade,
    -- As in JSON: "key":"value".
    pair          text not null,
    primary key (completion_id, pair)
);
