-- A part of a tenant's keys; sealed reasoning of one project is void in another.
alter table api_key add column project text not null default 'default';
