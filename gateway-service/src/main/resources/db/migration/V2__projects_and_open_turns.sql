-- A part of a tenant's keys; sealed reasoning of one project is void in another.
alter table api_key add column project text not null default 'default';

-- Until when the row may hold sealed reasoning; null when it holds none.
alter table response add column sealed_until timestamptz;
create index response_sealed on response (sealed_until) where sealed_until is not null;
