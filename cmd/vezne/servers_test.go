package main_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/uptrace/bun/driver/pgdriver"
)

// databaseServer is a PostgreSQL that tests make databases of their own on.
type databaseServer struct{ base url.URL }

// findDatabaseServer takes the server that testenv names. Its URL gets a password when it has none (a server that trusts
// everybody does not look at it), so that the run notices one that is printed.
func findDatabaseServer() (databaseServer, error) {
	base, err := url.Parse(os.Getenv("VEZNE_TEST_DATABASE_URL"))
	if err != nil || base.Host == "" {
		return databaseServer{}, errors.New("VEZNE_TEST_DATABASE_URL must name a PostgreSQL: run the tests with `make test`, which provides one")
	}
	if _, has := base.User.Password(); !has {
		base.User = url.UserPassword(cmp.Or(base.User.Username(), "postgres"), "pw-"+rand.Text())
	}
	password, _ := base.User.Password()
	shared.keepSecret("the database's password", password)
	return databaseServer{base: *base}, nil
}

func (s databaseServer) url(name string) string {
	u := s.base
	u.Path = "/" + name
	return u.String()
}

// create makes a database, as a copy of another one when that is named.
func (s databaseServer) create(template string) (name string, err error) {
	name = "vezne_e2e_" + strings.ToLower(rand.Text())
	return name, s.execute("CREATE DATABASE " + name + " TEMPLATE " + cmp.Or(template, "template1"))
}

func (s databaseServer) drop(name string) error {
	return s.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
}

func (s databaseServer) execute(statement string) error {
	return execute(s.base.String(), statement)
}

func execute(databaseURL, statement string) error {
	db := openSQL(databaseURL)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func openSQL(databaseURL string) *sql.DB {
	return sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(databaseURL), pgdriver.WithTimeout(patience)))
}

// newDatabase makes an empty database for one test.
func newDatabase(t testing.TB, template string) (databaseURL string) {
	t.Helper()
	name, err := shared.databases.create(template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shared.databases.drop(name); err != nil {
			t.Error(err)
		}
	})
	return shared.databases.url(name)
}

// queueServer is a Redis whose databases tests take one each.
type queueServer struct{ base url.URL }

// Redis databases: 0 is for others, and a lease outlives no run.
const (
	queueNumbers = 16
	leaseKey     = "vezne-e2e-lease"
	leaseTime    = 15 * time.Minute
)

func findQueueServer() (queueServer, error) {
	base, err := url.Parse(os.Getenv("VEZNE_TEST_REDIS_URL"))
	if err != nil || base.Host == "" {
		return queueServer{}, errors.New("VEZNE_TEST_REDIS_URL must name a Redis: run the tests with `make test`, which provides one")
	}
	return queueServer{base: *base}, nil
}

// take finds a database of Redis that holds nothing and that nobody else has; release empties it again.
func (s queueServer) take() (redisURL string, release func() error, err error) {
	for number := 1; number < queueNumbers; number++ {
		u := s.base
		u.Path = fmt.Sprintf("/%d", number)
		client, err := newRedisClient(u.String())
		if err != nil {
			return "", nil, err
		}
		ctx := context.Background()
		took, err := client.Eval(ctx, `if redis.call('DBSIZE') > 0 then return 0 end
			redis.call('SET', KEYS[1], '', 'EX', ARGV[1]) return 1`, []string{leaseKey}, int(leaseTime.Seconds())).Int()
		if err == nil && took == 1 {
			return u.String(), func() error { return errors.Join(client.FlushDB(ctx).Err(), client.Close()) }, nil
		}
		if err = errors.Join(err, client.Close()); err != nil {
			return "", nil, err
		}
	}
	return "", nil, errors.New("no database of the Redis in VEZNE_TEST_REDIS_URL is empty: give the tests a Redis of their own")
}

// newQueue takes a database of Redis for one test.
func newQueue(t testing.TB) (redisURL string) {
	t.Helper()
	redisURL, release, err := shared.queues.take()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := release(); err != nil {
			t.Error(err)
		}
	})
	return redisURL
}

func newRedisClient(redisURL string) (*redis.Client, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, err
	}
	return redis.NewClient(options), nil
}
