-- A code over the other columns of a row, under the tenant's key: a search checks a row without opening its content. Null
-- in rows that the version before wrote, which may run beside this: their content is opened, one at a time.
alter table trace_record add column columns_mac bytea;
