-- Responses that have not ended; the housekeeping looks for those that nobody will end.
create index response_unended on response (id) where finished_at is null and deleted_at is null;
