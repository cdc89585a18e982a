package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
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
	growthTurns   = 3   // of a grown database and an empty one: the middle ones count
	growthRounds  = 3   // of creating: the middle one counts
	growthPages   = 200 // first pages of the main list
	decisionsMade = 20_000
)

// pace is how fast the hot path is.
type pace struct {
	created, decided, delivered int // a second
	list                        time.Duration
}

// growth measures the hot path with a tenth of the payments that are asked for, and with all of them, by turns with an empty database
// on the same server: the machine's pace changes while a database is filled. What it is filled with has ended, over a year, with
// everything that payments have beside them.
func growth(ctx context.Context, o options, binary, dir string, env []string) error {
	fmt.Println("\ngrowth (PostgreSQL, 64 clients)")
	grown := place{database: o.databaseU, home: filepath.Join(dir, "grown"), env: env}
	v, err := start(ctx, binary, grown.home, grown.env) // what is seeded needs an installation
	if err != nil {
		return err
	}
	v.stop()
	var table []string
	filled := 0
	for i, size := range []int{o.payments / 10, o.payments} {
		if err := seed(ctx, binary, grown.home, env, size-filled, "--random", strconv.Itoa(i+1)); err != nil {
			return err
		}
		filled = size
		if err := grown.awaitStatistics(ctx, binary); err != nil {
			return err
		}
		var full, empty []pace
		for turn := range growthTurns + 1 { // a server has to have read once what is asked for often: the first turn does not count
			fmt.Printf("  with %d payments\n", size)
			with, err := paceOf(ctx, o, binary, grown)
			if err != nil {
				return err
			}
			fmt.Println("  with none")
			without, err := paceOfNone(ctx, o, binary, grown)
			if err != nil {
				return err
			}
			if turn > 0 {
				full, empty = append(full, with), append(empty, without)
			}
		}
		table = append(table, middle(empty).row("0"), middle(full).row(strconv.Itoa(size)), shares(full, empty))
	}
	fmt.Println("    payments   created/s   decided/s   delivered/s   first page, p50")
	fmt.Println(strings.Join(table, "\n"))
	return nil
}

func (p pace) row(payments string) string {
	return fmt.Sprintf("  %10s  %10d  %10d  %12d  %16s", payments, p.created, p.decided, p.delivered, p.list)
}

// middle has the middle of each figure.
func middle(paces []pace) pace {
	return pace{
		created:   middleOf(paces, func(p pace) int { return p.created }),
		decided:   middleOf(paces, func(p pace) int { return p.decided }),
		delivered: middleOf(paces, func(p pace) int { return p.delivered }),
		list:      middleOf(paces, func(p pace) time.Duration { return p.list }),
	}
}

func middleOf[M any, T cmp.Ordered](measured []M, of func(M) T) T {
	var all []T
	for _, m := range measured {
		all = append(all, of(m))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// shares is a row with the middle of each figure's shares, turn by turn: the pace of two turns may differ more than what is compared.
func shares(full, empty []pace) string {
	of := func(figure func(pace) int) string {
		var percents []int
		for i := range full {
			percents = append(percents, 100*figure(full[i])/max(figure(empty[i]), 1))
		}
		return fmt.Sprintf("%d %%", middleOf(percents, func(percent int) int { return percent }))
	}
	return fmt.Sprintf("  %10s  %10s  %10s  %12s  %16s", "", of(func(p pace) int { return p.created }), of(func(p pace) int { return p.decided }),
		of(func(p pace) int { return p.delivered }), of(func(p pace) int { return int(p.list) }))
}

// place is a database and the directory of the installation on it.
type place struct {
	database string // its URL
	home     string
	env      []string
}

// awaitStatistics serves until all that there is is counted.
func (p place) awaitStatistics(ctx context.Context, binary string) error {
	v, err := start(ctx, binary, p.home, p.env)
	if err != nil {
		return err
	}
	defer v.stop()
	token, err := v.signIn(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := (reader{installation: v, token: token}).counted(ctx); err != nil {
		return err
	}
	fmt.Printf("  statistics counted after %s\n", time.Since(began).Round(time.Second))
	return nil
}

// paceOfNone measures a new database beside the grown one, and drops it.
func paceOfNone(ctx context.Context, o options, binary string, grown place) (p pace, err error) {
	const name = "vezne_bench_empty"
	empty := place{home: filepath.Join(filepath.Dir(grown.home), "empty")}
	at, err := url.Parse(grown.database)
	if err != nil {
		return p, err
	}
	at.Path = "/" + name
	empty.database = at.String()
	empty.env = append(slices.Clone(grown.env), "VEZNE_DATABASE_URL="+empty.database) // the last one counts
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(grown.database), pgdriver.WithTimeout(time.Minute)))
	defer func() { _ = db.Close() }() // nothing is left to be written
	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return p, err
	}
	defer func() {
		_, dropped := db.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
		err = errors.Join(err, dropped, os.RemoveAll(empty.home), os.RemoveAll(empty.home+"-drain"))
	}()
	return paceOf(ctx, o, binary, empty)
}

// paceOf measures a database as it is, once it is written to the disk.
func paceOf(ctx context.Context, o options, binary string, at place) (p pace, err error) {
	v, err := start(ctx, binary, at.home, at.env)
	if err != nil {
		return p, err
	}
	defer v.stop() // again does nothing
	token, err := v.signIn(ctx)
	if err != nil {
		return p, err
	}
	if err := warm(ctx, at.database); err != nil {
		return p, err
	}
	if p.created, err = v.middleCreation(ctx, o.seconds); err != nil {
		return p, err
	}
	if p.decided, err = v.decide(ctx, decisionsMade); err != nil {
		return p, err
	}
	if p.list, err = (reader{installation: v, token: token}).firstPages(ctx); err != nil {
		return p, err
	}
	v.stop()
	quick, err := start(ctx, binary, at.home+"-drain", append(slices.Clone(at.env), "VEZNE_EXPIRY_DEPOSIT="+expiresIn.String()))
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
	return middleOf(rates, func(rate int) int { return rate }), nil
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
