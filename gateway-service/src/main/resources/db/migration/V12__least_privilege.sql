-- The gateway runs as a role that owns nothing (roles.sql of libs/local-infra makes it): it reads and writes rows.
grant select, insert, update, delete on
    tenant, api_key, response, completion_metadata, turn_reasoning, conversation, conversation_item, idempotency_key,
    quota, quota_lease, usage_entry, usage_day, frame_partition, gateway_replica, housekeeping_run
to counterpoint_gateway;
grant select on quota_limit to counterpoint_gateway;
-- A view that owners of tables read through would look past the rows' policies.
alter view quota_limit set (security_invoker = true);

-- A second line behind the queries, which all name their tenant: rows of content are those of the tenant that the
-- transaction has said ('*' is every tenant, for the gateway's own chores), and none while it has said nothing.
alter table response enable row level security;
create policy response_of_tenant on response
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));

alter table completion_metadata enable row level security;
create policy metadata_of_tenant on completion_metadata
    using (exists (select from response where id = completion_id));

alter table turn_reasoning enable row level security;
create policy reasoning_of_tenant on turn_reasoning
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));

alter table conversation enable row level security;
create policy conversation_of_tenant on conversation
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));

alter table conversation_item enable row level security;
create policy item_of_tenant on conversation_item
    using (exists (select from conversation where id = conversation_id));

alter table idempotency_key enable row level security;
create policy idempotency_of_tenant on idempotency_key
    using (current_setting('counterpoint.tenant', true) in (tenant_id, '*'));
