SELECT 1; -- a proof takes nothing back
