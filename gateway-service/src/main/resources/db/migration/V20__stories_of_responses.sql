-- What happened to each response, without content: for the time after its log is gone. Kept for 30 days.
create table response_story (
    response  text primary key,
    tenant_id text        not null,
    ended_at  timestamptz not null default now(),
    story     jsonb       not null
);
create index response_story_age on response_story (ended_at);
grant select, insert, update, delete on response_story to counterpoint_gateway;

create function response_story_add(some_responses text[], some_tenants text[], some_stories text[])
returns integer language plpgsql as $$
begin
    perform set_config('synchronous_commit', 'off', true); -- a crash of the database loses a moment's stories
    insert into response_story (response, tenant_id, story)
    select r, t, cast(s as jsonb) from unnest(some_responses, some_tenants, some_stories) as one (r, t, s)
    on conflict do nothing;
    return cardinality(some_responses);
end $$;
grant execute on function response_story_add to counterpoint_gateway;
