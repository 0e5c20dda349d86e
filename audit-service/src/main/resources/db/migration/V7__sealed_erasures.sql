-- The entry for the topic of erasures, sealed under the root keyset in the erasing transaction and appended after its
-- commit. Rows of before get theirs from the topic. A row that the service did not seal never gets there. The version
-- before may run beside this.
alter table erasure add column sealed bytea;
grant update (sealed) on erasure to counterpoint_audit_staff;
