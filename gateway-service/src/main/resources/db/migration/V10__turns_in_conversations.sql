-- Responses that run in a conversation: there is one at most.
create index response_running_in_conversation on response (conversation_id)
    where conversation_id is not null and finished_at is null and deleted_at is null;
