package program

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/vezne/vezne/cmd/vezne/health"
)

// notify tells systemd, where that has started the process (Type=notify), what the process does now: see sd_notify(3).
func (s *service) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.log.Warn("telling systemd", "state", state, "error", err)
	}
}

// watchdog tells systemd, where its unit has a WatchdogSec, that this process still answers /healthz at the address: a process that
// hangs is started anew. What it depends on is no reason to: a database out of reach comes back by itself.
func (s *service) watchdog(ctx context.Context, address string) {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("systemd's watchdog", "error", err)
	}
	if limit <= 0 {
		return
	}
	ticks := time.NewTicker(limit / 3)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if _, err := health.Ask(ctx, address, "/healthz"); err != nil {
			if ctx.Err() == nil {
				s.log.Warn("this process does not answer itself; systemd's watchdog is not told that it lives", "error", err)
			}
			continue
		}
		s.notify(daemon.SdNotifyWatchdog)
	}
}
