-- Disputes by the deadline of their evidence. One that is over has none.
CREATE INDEX disputes_evidence ON disputes (evidence_due_at, id) WHERE evidence_due_at IS NOT NULL;
