package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun/driver/pgdriver"
)

// Sizes of measuring growth.
const (
	growthRounds  = 3   // of creating: the middle one counts
	growthPages   = 200 // first pages of the main list
	decisionsMade = 20_000
)

// pace is how fast the hot path is at one size of the database.
type pace struct {
	payments                    int
	created, decided, delivered int // a second
	list                        time.Duration
}

// growth measures the hot path while the database has no payments, a tenth of what is asked for, and all of it. What it is filled
// with has ended, over a year, with everything that payments have beside them.
func growth(ctx context.Context, o options, binary, dir string, env []string) error {
	fmt.Println("\ngrowth (PostgreSQL, 64 clients)")
	var paces []pace
	for i, size := range []int{0, o.payments / 10, o.payments} {
		home := filepath.Join(dir, "growth")
		if i > 0 {
			if err := seed(ctx, binary, home, env, size-paces[i-1].payments, "--random", strconv.Itoa(i)); err != nil {
				return err
			}
		}
		p, err := paceOf(ctx, o, binary, home, env)
		if err != nil {
			return err
		}
		p.payments = size
		paces = append(paces, p)
	}
	fmt.Println("    payments   created/s   decided/s   delivered/s   first page, p50")
	for _, p := range paces {
		fmt.Printf("  %10d  %10d  %10d  %12d  %16s\n", p.payments, p.created, p.decided, p.delivered, p.list)
	}
	first, last := paces[0], paces[len(paces)-1]
	fmt.Printf("  the last to the first: %10s  %10s  %12s  %16s\n", percent(last.created, first.created), percent(last.decided, first.decided),
		percent(last.delivered, first.delivered), percent(int(last.list), int(first.list)))
	return nil
}

func percent(part, whole int) string { return fmt.Sprintf("%d %%", 100*part/max(whole, 1)) }

// paceOf measures the database as it is, once all of it is counted and written to the disk.
func paceOf(ctx context.Context, o options, binary, home string, env []string) (p pace, err error) {
	v, err := start(ctx, binary, home, env)
	if err != nil {
		return p, err
	}
	defer v.stop() // again does nothing
	token, err := v.signIn(ctx)
	if err != nil {
		return p, err
	}
	r := reader{installation: v, token: token}
	began := time.Now()
	if err := r.counted(ctx); err != nil {
		return p, err
	}
	fmt.Printf("  statistics counted after %s\n", time.Since(began).Round(time.Second))
	if err := warm(ctx, o.databaseU); err != nil {
		return p, err
	}
	if p.list, err = r.firstPages(ctx); err != nil {
		return p, err
	}
	if p.created, err = v.middleCreation(ctx, o.seconds); err != nil {
		return p, err
	}
	if p.decided, err = v.decide(ctx, decisionsMade); err != nil {
		return p, err
	}
	v.stop()
	quick, err := start(ctx, binary, home+"-drain", append(slices.Clone(env), "VEZNE_EXPIRY_DEPOSIT="+expiresIn.String()))
	if err != nil {
		return p, err
	}
	defer quick.stop()
	p.delivered, err = quick.drain(ctx, o.callbacks)
	return p, err
}

// firstPages measures the main list as it opens.
func (r reader) firstPages(ctx context.Context) (time.Duration, error) {
	var all result
	for range growthPages {
		_, took, err := r.page(ctx, "", "CREATED_DESC", "")
		if err != nil {
			return 0, err
		}
		all.took = append(all.took, took)
	}
	slices.Sort(all.took)
	fmt.Printf("  first page of everything: p50 %8s  p95 %8s\n", all.percentile(50), all.percentile(95))
	return all.percentile(50), nil
}

// middleCreation is the middle of several rounds on all clients, behind one that does not count.
func (v *installation) middleCreation(ctx context.Context, length time.Duration) (int, error) {
	var rates []int
	for round := range growthRounds + 1 {
		before := v.usage()
		r := v.create(ctx, drainClients, 0, length)
		if r.failed > 0 {
			return 0, fmt.Errorf("%d clients could not create", r.failed)
		}
		if round > 0 {
			fmt.Printf("  64 clients: %s%s\n", r, before.each(v.usage(), len(r.took)))
			rates = append(rates, r.perSecond())
		}
	}
	slices.Sort(rates)
	return rates[len(rates)/2], nil
}

// decide measures decisions alone, and the deliveries that follow them: deposits that are there are canceled by their customers.
func (v *installation) decide(ctx context.Context, n int) (int, error) {
	r, err := receive(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close() }()
	if err := v.sendCallbacksTo(ctx, r.url); err != nil {
		return 0, err
	}
	paths, request := make([]string, n/drainClients*drainClients), v.createRequest()
	var made atomic.Int64
	created := drive(ctx, v.address, drainClients, n/drainClients, time.Minute, 0, func(c *connection) bool {
		status, body, err := c.do(request)
		var answer struct {
			Data struct {
				PaymentURL string `json:"payment_url"`
			}
		}
		if err != nil || status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
			return false
		}
		paths[made.Add(1)-1] = strings.TrimPrefix(answer.Data.PaymentURL, v.keys.BaseURL)
		return true
	})
	if len(created.took) < len(paths) {
		return 0, fmt.Errorf("%d of %d deposits were created", len(created.took), len(paths))
	}
	var next atomic.Int64
	before := v.usage()
	decided := drive(ctx, v.address, drainClients, n/drainClients, time.Minute, 0, func(c *connection) bool {
		status, _, err := c.do(post(v.address, paths[next.Add(1)-1]+"/cancel", v.customerHeaders(), ""))
		return err == nil && status == http.StatusSeeOther
	})
	if err := r.await(ctx, int64(len(decided.took))); err != nil {
		return 0, err
	}
	fmt.Printf("  64 clients: %6d canceled/s   p50 %8s  p99 %8s, their callbacks %d/s%s\n", decided.perSecond(), decided.percentile(50),
		decided.percentile(99), perSecond(len(decided.took), r.last.Sub(r.first)), before.each(v.usage(), len(decided.took)))
	if decided.failed > 0 {
		return 0, fmt.Errorf("%d clients could not cancel", decided.failed)
	}
	return decided.perSecond(), nil
}

// Sizes of measuring what statistics cost.
const (
	statisticsPairs  = 5
	statisticsLength = 11 * time.Second // of one measurement: longer than statistics rest
)

// statisticsTriggers write down what statistics take in.
var statisticsTriggers = []string{
	"payments ? TRIGGER payments_created", "payments ? TRIGGER payments_created_ended", "payments ? TRIGGER payments_changed",
	"callbacks ? TRIGGER callbacks_created", "callbacks ? TRIGGER callbacks_changed",
}

// statisticsCost measures creation with statistics and without them, by turns.
func statisticsCost(ctx context.Context, o options, binary, dir string, env []string) error {
	v, err := start(ctx, binary, filepath.Join(dir, "cost"), env)
	if err != nil {
		return err
	}
	defer v.stop()
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(o.databaseU), pgdriver.WithTimeout(sampleTimeout)))
	defer func() { _ = db.Close() }() // nothing is left to be written
	fmt.Println("\nwhat statistics cost (PostgreSQL, 64 clients creating)")
	v.create(ctx, drainClients, 0, o.seconds)
	rates := map[string][]int{}
	for pair := range statisticsPairs {
		turns := []string{"ENABLE", "DISABLE"}
		if pair%2 == 1 {
			slices.Reverse(turns)
		}
		for _, turn := range turns {
			if err := settle(ctx, db); err != nil {
				return err
			}
			for _, trigger := range statisticsTriggers {
				if _, err := db.ExecContext(ctx, "ALTER TABLE "+strings.Replace(trigger, "?", turn, 1)); err != nil {
					return err
				}
			}
			before := v.usage()
			r := v.create(ctx, drainClients, 0, statisticsLength)
			rates[turn] = append(rates[turn], r.perSecond())
			fmt.Printf("  %-12s %s%s\n", map[string]string{"ENABLE": "counted:", "DISABLE": "not counted:"}[turn], r, before.each(v.usage(), len(r.took)))
		}
	}
	for _, of := range rates {
		slices.Sort(of)
	}
	with, without := rates["ENABLE"][statisticsPairs/2], rates["DISABLE"][statisticsPairs/2]
	fmt.Printf("  in the middle %d/s and %d/s: %.3f of what there is without statistics\n", with, without, float64(with)/float64(without)) //nolint:forbidigo // no money
	return nil
}

// settle waits until statistics have taken in everything, and writes to the disk what waits for a checkpoint.
func settle(ctx context.Context, db *sql.DB) error {
	const left = "SELECT EXISTS (SELECT 1 FROM statistics_created) OR EXISTS (SELECT 1 FROM statistics_payments_before)"
	for isLeft := true; isLeft; {
		if err := db.QueryRowContext(ctx, left).Scan(&isLeft); err != nil {
			return err
		}
		if isLeft {
			time.Sleep(100 * time.Millisecond)
		}
	}
	_, err := db.ExecContext(ctx, "CHECKPOINT")
	return err
}
