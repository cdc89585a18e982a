DROP INDEX approvals_requester;
