package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

const maxMessage = 16 << 20 // bytes of a message's body

// result is what came of one measurement.
type result struct {
	took   []time.Duration
	failed int
	length time.Duration
}

func (r result) perSecond() int {
	return int(int64(len(r.took)) * int64(time.Second) / int64(r.length))
}

func (r result) percentile(p int) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	return r.took[(len(r.took)-1)*p/100].Round(10 * time.Microsecond)
}

// String is one line of the report.
func (r result) String() string {
	text := fmt.Sprintf("%6d created/s   p50 %8s  p95 %8s  p99 %8s", r.perSecond(), r.percentile(50), r.percentile(95), r.percentile(99))
	if r.failed > 0 {
		text += fmt.Sprintf("   %d FAILED", r.failed)
	}
	return text
}

// connection is a keep-alive HTTP/1.1 connection: the smallest client that can be trusted with the answer, so that the
// measuring takes little of the machine that is measured.
type connection struct {
	net.Conn
	answers *bufio.Reader
}

func dial(ctx context.Context, address string) (*connection, error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c, answers: bufio.NewReaderSize(c, 8<<10)}, nil
}

// do sends a request and reads the whole answer.
func (c *connection) do(request []byte) (status int, body []byte, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, err
	}
	line, err := c.answers.ReadSlice('\n')
	if err != nil || len(line) < 12 {
		return 0, nil, fmt.Errorf("status line: %w", err)
	}
	status, err = strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, nil, err
	}
	body, err = readMessage(c.answers)
	return status, body, err
}

// readMessage reads the head of a message of HTTP/1.1, or the rest of one, and returns the body.
func readMessage(from *bufio.Reader) (body []byte, err error) {
	length := 0
	for {
		line, err := from.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		if len(line) <= 2 {
			break
		}
		if name := []byte("Content-Length: "); bytes.HasPrefix(line, name) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(name):]))); err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("a message with %s", line)
			}
		}
	}
	body = make([]byte, length)
	_, err = io.ReadFull(from, body)
	return body, err
}

func post(host, path, headers, body string) []byte {
	return []byte("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "Content-Length: " +
		strconv.Itoa(len(body)) + "\r\n\r\n" + body)
}

// createRequest is a signed E3.
func (v *installation) createRequest() []byte {
	return post(v.address, "/api/provider/start-manual-deposit", v.signedHeaders()+"Content-Type: application/json\r\n",
		`{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","amount":250.00}`)
}

// create has clients create deposits, as fast as they can or perSecond of them in all at even intervals.
func (v *installation) create(ctx context.Context, clients, perSecond int, length time.Duration) result {
	request := v.createRequest()
	var interval time.Duration
	if perSecond > 0 {
		interval = time.Second * time.Duration(clients) / time.Duration(perSecond)
	}
	return drive(ctx, v.address, clients, math.MaxInt, length, interval, func(c *connection) bool {
		status, _, err := c.do(request)
		return err == nil && status == 200
	})
}

// drive repeats a call on every client for a while, at most calls times. With an interval a call's time counts from when it was due, so
// that a stall shows in every call it delayed.
func drive(ctx context.Context, address string, clients, calls int, length, interval time.Duration, call func(*connection) bool) result {
	results := make([]result, clients)
	var running sync.WaitGroup
	began := time.Now()
	for i := range clients {
		running.Go(func() {
			c, err := dial(ctx, address)
			if err != nil {
				results[i].failed++
				return
			}
			defer func() { _ = c.Close() }()
			due := began.Add(interval * time.Duration(i) / time.Duration(clients))
			for n := 0; n < calls && time.Since(began) < length && ctx.Err() == nil; n++ {
				at := time.Now()
				if interval > 0 {
					time.Sleep(time.Until(due))
					at, due = due, due.Add(interval)
				}
				if !call(c) {
					results[i].failed++
					return
				}
				results[i].took = append(results[i].took, time.Since(at))
			}
		})
	}
	running.Wait()
	all := result{length: time.Since(began)}
	for _, r := range results {
		all.took = append(all.took, r.took...)
		all.failed += r.failed
	}
	slices.Sort(all.took)
	return all
}
