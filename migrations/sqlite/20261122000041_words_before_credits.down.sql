SELECT 1; -- what a credit names stays right
