-- Whom an open request means, sealed under the tenant's key for who approves it; null once it is decided or expired, and in
-- requests of the version before, which may run beside this.
alter table erasure_request add column sealed_subject bytea;
grant update (sealed_subject) on erasure_request to counterpoint_audit_staff;
