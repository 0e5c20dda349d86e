-- What gateways are to delete of a person, by the erasure's id, and when the order was sent. The token is sealed under the tenant's key,
-- and goes when gateways answer. A row that the service did not seal is no order.
create table gateway_erasure (
    id      text  primary key,
    tenant  text  not null,
    sealed  bytea,
    sent_at timestamptz
);
create index gateway_erasure_not_sent on gateway_erasure (id) where sent_at is null;
grant select, insert on gateway_erasure to counterpoint_audit_staff;
grant update (sent_at, sealed) on gateway_erasure to counterpoint_audit_staff;
alter table gateway_erasure enable row level security;
create policy staff_of_tenant on gateway_erasure to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));
