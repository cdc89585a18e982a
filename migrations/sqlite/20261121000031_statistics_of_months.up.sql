-- Of months there are rows of every three dimensions too: everything is counted anew.
UPDATE statistics_state SET version = version + 1, zone = '';
