DROP TABLE test_plans;
