-- When each task of the housekeeping was begun last, so that one gateway of all runs it in an interval.
create table housekeeping_run (
    task       text primary key,
    started_at timestamptz not null
);
