-- What a staff member has asked for: whoever asks is told that the same waits already.
CREATE INDEX approvals_requester ON approvals (requester_id, state, id);
