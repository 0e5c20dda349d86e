-- Requests and their decisions are events. An event that takes the personal part of others away lists their indices (`covers`), and they
-- name it.
alter table event
    add column removed_by    text,
    add column request       text generated always as (body::jsonb ->> 'request') stored,
    add column subject_token text generated always as (personal::jsonb ->> 'subject_token') stored;
create index event_of_request on event (request) where request is not null;
create index event_of_subject on event (subject_token) where subject_token is not null;
grant update (personal, personal_salt, removed_by) on event to counterpoint_audit_staff;

-- Requests of the version before are asked for again. A later version drops their table `erasure_request`, which replicas of the version
-- before may still use.
