-- The process that wrote a row or claimed a key. When it is gone and the bus has no frame 0 of the response, nobody will
-- run it. Null in rows of earlier versions, which wait for their deadline.
alter table response add column gateway text;
alter table idempotency_key add column gateway text;
