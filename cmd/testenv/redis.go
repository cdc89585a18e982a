package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// redisPidFile is where Redis writes its process id, inside its directory.
const redisPidFile = "redis.pid"

// redisDatabases is how many there are to be shared out: an end-to-end test takes one, and their packages run side by side.
const redisDatabases = 64

// startRedis starts a Redis that keeps nothing on disk and returns its port.
func startRedis(ctx context.Context, binary string, keeper *janitor) (int, error) {
	dir, err := serverDir("redis", nil, keeper)
	if err != nil {
		return 0, err
	}
	return onFreePort(ctx, func(port int) (*server, error) {
		return startServer(ctx, serverSpec{
			name: "redis",
			dir:  dir,
			stop: syscall.SIGTERM,
			path: binary,
			args: []string{
				"--bind", "127.0.0.1", "--port", strconv.Itoa(port),
				"--databases", strconv.Itoa(redisDatabases), "--save", "", "--appendonly", "no",
				"--dir", dir, "--pidfile", filepath.Join(dir, redisPidFile), "--daemonize", "no",
			},
			ready: func(ctx context.Context) error { return pingRedis(ctx, port) },
		})
	})
}

// pingRedis asks for one real answer; an open port alone says nothing about who listens.
func pingRedis(ctx context.Context, port int) error {
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := fmt.Fprint(conn, "PING\r\n"); err != nil {
		return err
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err
	}
	if strings.TrimSpace(answer) != "+PONG" {
		return errors.New("unexpected answer to PING: " + strings.TrimSpace(answer))
	}
	return nil
}
