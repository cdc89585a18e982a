<?php

return ['default' => 'stderr', 'channels' => ['stderr' => ['driver' => 'errorlog']]];
