DROP INDEX disputes_evidence;
