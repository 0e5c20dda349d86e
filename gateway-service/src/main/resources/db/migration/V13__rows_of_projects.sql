-- What is stored belongs to a project of its tenant. Rows from before get the project of the key that made them.
alter table response add column project text not null default 'default';
update response set project = k.project from api_key k
where k.id = response.key_id and k.project <> 'default';

-- A conversation does not say which key made it: its project is that of the responses in it.
alter table conversation add column project text not null default 'default';
update conversation c set project = r.project
from (select conversation_id, min(project) as project from response
        where conversation_id is not null group by conversation_id having count(distinct project) = 1) r
where r.conversation_id = c.id;
-- Without one, it is the project of all keys of the tenant, where these have only one.
update conversation c set project = k.project
from (select tenant_id, min(project) as project from api_key
        group by tenant_id having count(distinct project) = 1) k
where k.tenant_id = c.tenant_id
    and not exists (select from response r where r.conversation_id = c.id);

-- What is kept here lives for an hour, and its project is sealed into it: in another one it is void already.
alter table turn_reasoning add column project text not null default 'default';

drop index completion_of_tenant;
create index completion_of_project on response (tenant_id, project, created_at, id) where id like 'chatcmpl-%';
