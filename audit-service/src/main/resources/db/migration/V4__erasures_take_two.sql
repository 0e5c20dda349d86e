-- Erasures that one person has asked for and another one may approve. No name of a subject, as everywhere.
create table erasure_request (
    -- Of the receipt too.
    id            text primary key,
    at            timestamptz not null,
    actor         text        not null,
    case_id       text        not null,
    reason        text        not null,
    tenant        text        not null,
    subject_token bytea       not null,
    expires_at    timestamptz not null,
    decision      text        not null default 'requested' check (decision in ('requested', 'approved', 'cancelled')),
    decided_at    timestamptz,
    decided_by    text
);
create index erasure_request_open on erasure_request (expires_at) where decision = 'requested';

-- Who asked for it, where that is not who erased.
alter table erasure add column requested_by text;

grant select, insert on erasure_request to counterpoint_audit_staff;
-- Decided once: what was asked, by whom and why stays.
grant update (decision, decided_at, decided_by) on erasure_request to counterpoint_audit_staff;
alter table erasure_request enable row level security;
create policy staff_of_tenant on erasure_request to counterpoint_audit_staff
    using (current_setting('counterpoint.tenant', true) in (tenant, '*'));
