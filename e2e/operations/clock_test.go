package operations_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// clockIs waits until a process says of itself that its clock is wrong, or right.
func clockIs(t *testing.T, p *harness.Process, isRight bool) {
	t.Helper()
	if isRight {
		awaitReadiness(t, p, http.StatusOK, ready)
		return
	}
	awaitReadiness(t, p, http.StatusServiceUnavailable, readiness{"not ready", "ok", "ok", "differs from the database's"})
}

// offsetOf is how far a process says that its clock is ahead.
func offsetOf(t *testing.T, p *harness.Process) time.Duration {
	t.Helper()
	_, rest, _ := strings.Cut(string(harness.Get(t, p.AdminURL+"/metrics").Body), "\nvezne_clock_offset_seconds ")
	text, _, _ := strings.Cut(rest, "\n")
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("/metrics does not say how far the clock is ahead: %v", err)
	}
	return time.Duration(seconds * float64(time.Second))
}

// nothingExpired fails the test when one of all payments has ended.
func nothingExpired(t *testing.T, viewer harness.Staff, want int) {
	t.Helper()
	open := 0
	for _, p := range viewer.All(t) {
		if p.Status == "SHOWING" {
			open++
		}
	}
	if open != want {
		t.Errorf("%d deposits are open, want %d", open, want)
	}
}

// looksAround waits until a process has looked for what is due, as its sweeper does every second.
func looksAround(t *testing.T, p *harness.Process) {
	t.Helper()
	from := time.Now()
	harness.Eventually(t, func() error {
		if time.Since(from) < 2*time.Second {
			return errors.New("it may not have looked yet")
		}
		return nil
	})
	if p.HasExited() {
		t.Error("the process has ended")
	}
}

// TestAProcessWithAWrongClockEndsNoPayment: 200 deposits have half an hour left. A process whose clock is 45 minutes ahead, and
// one whose clock is behind, leave them and everything else alone, take no orders, and say so; the others go on. When their
// clocks are right again they work.
func TestAProcessWithAWrongClockEndsNoPayment(t *testing.T) {
	t.Parallel()
	const deposits = 200
	in := harness.NewOnServers(t)
	good := in.Serve("VEZNE_ROLE=api")
	in.Provider(good).CreateMany(t, "start-manual-deposit", deposits, "10.00")
	viewer := in.SignIn(good, "viewer")
	for _, skew := range []time.Duration{45 * time.Minute, -45 * time.Minute} {
		wrong, set := in.ServeAtWrongTime(skew)
		clockIs(t, wrong, false)
		looksAround(t, wrong)
		nothingExpired(t, viewer, deposits)
		a, _, err := in.Provider(wrong).Try("start-manual-deposit", harness.Order("10.00"), "")
		if err != nil || a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
			t.Errorf("a creating call is answered with %d %s (%v)", a.Status, a.Body, err)
		}
		if offset := offsetOf(t, wrong); (offset - skew).Abs() > time.Second {
			t.Errorf("/metrics says %s, want %s", offset, skew)
		}
		set(0)
		clockIs(t, wrong, true)
		harness.Eventually(t, func() error { // it is told when it is compared, a moment after it is relied on
			if len(wrong.Log("this machine's clock agrees with the database's again")) == 0 {
				return errors.New("the log does not say that the clock is right again")
			}
			return nil
		})
		set(skew) // while it runs
		clockIs(t, wrong, false)
		looksAround(t, wrong)
		nothingExpired(t, viewer, deposits)
		harness.Eventually(t, func() error { // while it was right it was compared every five seconds
			if n := len(wrong.Log("THIS MACHINE'S CLOCK DIFFERS FROM THE DATABASE'S: nothing is created, expired or claimed until they agree; set both by NTP")); n != 2 {
				return fmt.Errorf("the log says %d times that the clock is wrong, want twice", n)
			}
			return nil
		})
		set(0)
		clockIs(t, wrong, true)
		in.Provider(wrong).Create(t, "start-manual-withdraw", "10.00")
		wrong.Stop(t)
	}
	good.Stop(t)
}

// TestAnEmbeddedClockThatIsSetEndsNoPayment: there is no other clock to compare with, only the time that has passed.
func TestAnEmbeddedClockThatIsSetEndsNoPayment(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server, set := in.ServeAtWrongTime(0)
	in.Provider(server).CreateMany(t, "start-manual-deposit", 20, "10.00")
	for _, skew := range []time.Duration{45 * time.Minute, -45 * time.Minute} {
		set(skew)
		clockIs(t, server, false)
		looksAround(t, server)
		set(0)
		clockIs(t, server, true)
		nothingExpired(t, in.SignIn(server, "viewer"), 20)
	}
	server.Stop(t)
}
