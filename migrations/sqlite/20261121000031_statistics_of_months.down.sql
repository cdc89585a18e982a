UPDATE statistics_state SET version = version + 1, zone = '';
