-- A response may have two records: `response` holds its id for a worker's whole trace, its id and `.partial` for a gateway's.
create index trace_record_of_response on trace_record (split_part(response, '.', 1), seq);
