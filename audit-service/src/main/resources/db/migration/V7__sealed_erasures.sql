-- The entry for the topic of erasures, sealed under the root keyset in the erasing transaction and appended after its
-- commit. Null in rows of before, which the topic has already. A row that the service did not seal never gets there.
alter table erasure add column sealed bytea;
