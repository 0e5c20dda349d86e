-- Scans that wait or run, and the responses that they found, for a day at most. The log has the request, its decision and a hash of
-- the result; a row without these does nothing.
create table scan (
    request    text primary key,
    started_at timestamptz not null default now(),
    owner      text,
    beat       timestamptz,
    attempts   integer     not null default 0,
    looked     integer     not null default 0,
    ended      boolean     not null default false,
    found      text
);
grant select, insert, update, delete on scan to counterpoint_audit_staff;
