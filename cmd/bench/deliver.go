package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Sizes of measuring deliveries.
const (
	drainClients    = 64
	quietCancels    = 500 // for the delay of a single callback
	quietInterval   = 5 * time.Millisecond
	deliveryTimeout = 2 * time.Minute
)

// receiver takes the callbacks and notes when each first came. It reads no more of HTTP/1.1 than that takes, so that the measuring takes
// little of the machine that is measured.
type receiver struct {
	net.Listener
	url   string
	mu    sync.Mutex
	came  map[string]time.Time // by tracking code
	first time.Time
	last  time.Time
	count atomic.Int64
}

func receive(ctx context.Context) (*receiver, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{Listener: listener, came: make(map[string]time.Time), url: "http://" + listener.Addr().String() + "/callbacks"}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go r.serve(c)
		}
	}()
	return r, nil
}

var acknowledged = []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n" + `{"success":true}`)

// serve acknowledges callbacks until the connection ends, or brings what is none.
func (r *receiver) serve(c net.Conn) {
	defer func() { _ = c.Close() }() // nothing is left to be written
	requests := bufio.NewReaderSize(c, 8<<10)
	for {
		body, err := readMessage(requests)
		if err != nil {
			return
		}
		r.take(body)
		if _, err := c.Write(acknowledged); err != nil {
			return
		}
	}
}

func (r *receiver) take(body []byte) {
	_, rest, _ := bytes.Cut(body, []byte(`"tracking_code":"`))
	code, _, _ := bytes.Cut(rest, []byte(`"`))
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, again := r.came[string(code)]; again {
		return
	}
	if len(r.came) == 0 {
		r.first = now
	}
	r.came[string(code)] = now
	r.last = now
	r.count.Add(1)
}

func (r *receiver) await(ctx context.Context, n int64) error {
	deadline := time.Now().Add(deliveryTimeout)
	for r.count.Load() < n {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("%d of %d callbacks came", r.count.Load(), n)
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// drain measures deliveries alone: deposits are created, and expire together while nothing else is asked. It returns how many a second
// ended, were called back and logged; 0: creating them took too long.
func (v *installation) drain(ctx context.Context, n int) (rate int, err error) {
	r, err := receive(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close() }()
	if err := v.sendCallbacksTo(ctx, r.url); err != nil {
		return 0, err
	}
	request := v.createRequest()
	made := drive(ctx, v.address, drainClients, n/drainClients, expiresIn, 0, func(c *connection) bool {
		status, _, err := c.do(request)
		return err == nil && status == http.StatusOK
	})
	if made.length >= expiresIn {
		fmt.Printf("  (deliveries alone were not measured: creating took longer than %s)\n", expiresIn)
		return 0, nil
	}
	before := v.usage()
	if err := r.await(ctx, int64(len(made.took))); err != nil {
		return 0, err
	}
	rate = perSecond(len(made.took), r.last.Sub(r.first))
	fmt.Printf("  %d expired together: %d/s ended, called back and logged, from the first arrival to the last%s\n", len(made.took), rate,
		before.each(v.usage(), len(made.took)))
	return rate, nil
}

// end measures whole lives: created, canceled on the page, called back and logged, on all clients and as fast as they can.
func (v *installation) end(ctx context.Context, length time.Duration) error {
	r, err := receive(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	if err := v.sendCallbacksTo(ctx, r.url); err != nil {
		return err
	}
	request, before, began := v.createRequest(), v.usage(), time.Now()
	made := drive(ctx, v.address, drainClients, math.MaxInt, length, 0, func(c *connection) bool {
		_, err := v.cancelOne(c, request)
		return err == nil
	})
	if err := r.await(ctx, int64(len(made.took))); err != nil {
		return err
	}
	fmt.Printf("  64 clients: %6d created, canceled, called back and logged/s   p50 %8s  p99 %8s%s\n",
		perSecond(len(made.took), r.last.Sub(began)), made.percentile(50), made.percentile(99), before.each(v.usage(), len(made.took)))
	if made.failed > 0 {
		return fmt.Errorf("%d clients could not cancel what they had created", made.failed)
	}
	return nil
}

// canceled is a deposit canceled by its customer, which ends it and sends a callback.
type canceled struct {
	code string
	at   time.Time // when the cancellation was answered: its commit was before
}

// deliver measures the delay of single callbacks.
func (v *installation) deliver(ctx context.Context) error {
	r, err := receive(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	if err := v.sendCallbacksTo(ctx, r.url); err != nil {
		return err
	}
	quiet, err := v.cancelMany(ctx)
	if err != nil {
		return err
	}
	if err := r.await(ctx, int64(len(quiet))); err != nil {
		return err
	}
	delays := r.delays(quiet)
	fmt.Printf("  callback after its commit's answer (%d one by one): p50 %s  p99 %s\n", len(delays),
		delays[len(delays)/2].Round(10*time.Microsecond), delays[(len(delays)-1)*99/100].Round(10*time.Microsecond))
	return nil
}

func perSecond(n int, d time.Duration) int { return int(int64(n) * int64(time.Second) / int64(d)) }

func (r *receiver) delays(list []canceled) []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	var delays []time.Duration
	for _, c := range list {
		delays = append(delays, max(0, r.came[c.code].Sub(c.at)))
	}
	slices.Sort(delays)
	return delays
}

// cancelMany creates deposits one by one and cancels each as its customer would.
func (v *installation) cancelMany(ctx context.Context) ([]canceled, error) {
	c, err := dial(ctx, v.address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	request := v.createRequest()
	var list []canceled
	for range quietCancels {
		done, err := v.cancelOne(c, request)
		if err != nil {
			return nil, err
		}
		list = append(list, done)
		time.Sleep(quietInterval)
	}
	return list, nil
}

// customerHeaders are the headers of a form that a customer of an address of their own sends.
func (v *installation) customerHeaders() string {
	n := v.customers.Add(1)
	return fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d\r\nContent-Type: application/x-www-form-urlencoded\r\n", n>>16&0xff, n>>8&0xff, n&0xff)
}

func (v *installation) cancelOne(c *connection, create []byte) (canceled, error) {
	status, body, err := c.do(create)
	if err != nil || status != http.StatusOK {
		return canceled{}, fmt.Errorf("creating a deposit: status %d, %w", status, err)
	}
	var made struct {
		Data struct {
			TrackingCode string `json:"tracking_code"`
			PaymentURL   string `json:"payment_url"`
		}
	}
	if err := json.Unmarshal(body, &made); err != nil {
		return canceled{}, err
	}
	path := strings.TrimPrefix(made.Data.PaymentURL, v.keys.BaseURL)
	status, _, err = c.do(post(v.address, path+"/cancel", v.customerHeaders(), ""))
	if err != nil || status != http.StatusSeeOther {
		return canceled{}, fmt.Errorf("canceling a deposit: status %d, %w", status, err)
	}
	return canceled{code: made.Data.TrackingCode, at: time.Now()}, nil
}
