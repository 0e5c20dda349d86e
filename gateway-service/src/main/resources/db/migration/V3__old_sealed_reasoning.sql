-- Rows of before know no time for it; the housekeeping takes it away.
update response set sealed_until = created_at + interval '1 hour'
where sealed_until is null
    and (input_items like '%"encrypted_content"%' or response like '%"encrypted_content"%');
