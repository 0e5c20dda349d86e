-- Whether a model may write the tenant's summaries of reasoning, where the deployment allows that. Else they are described.
alter table tenant add column written_summaries boolean not null default false;
