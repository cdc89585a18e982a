DROP TABLE running_totals;
DROP TABLE approval_rules;
DROP TABLE approvals;
