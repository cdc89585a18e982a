DROP TABLE approval_rules;
DROP TABLE approvals;
