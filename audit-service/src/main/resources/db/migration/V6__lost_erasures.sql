-- What two persons say after a restore that lost the erasures since its backup: these receipts are all there were.
alter table erasure_request add column lost_since timestamptz;
alter table erasure_request add column receipts text not null default '';
