package harness

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
	KeepSecret("the database's password", password)
	return databaseServer{base: *base}, nil
}

func (s databaseServer) url(name string) string {
	u := s.base
	u.Path = "/" + name
	return u.String()
}

// create makes a database, as a copy of another one when that is named. A copy does not know that it is one, as if it were the only
// one: a Vezne that finds itself copied is frozen.
func (s databaseServer) create(template string) (name string, err error) {
	name = "vezne_e2e_" + strings.ToLower(rand.Text())
	err = s.execute("CREATE DATABASE " + name + " TEMPLATE " + cmp.Or(template, "template1"))
	if err == nil && template != "" {
		err = execute(s.url(name), "UPDATE epoch_marks SET home = ''; UPDATE epochs SET installation = md5('"+name+"'), name = md5(name || '"+name+"')")
	}
	return name, err
}

func (s databaseServer) drop(name string) error {
	return s.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
}

func (s databaseServer) execute(statement string) error {
	return execute(s.base.String(), statement)
}

func execute(databaseURL, statement string) error {
	db := OpenSQL(databaseURL)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// OpenSQL opens a PostgreSQL around Vezne.
func OpenSQL(databaseURL string) *sql.DB {
	return sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(databaseURL), pgdriver.WithTimeout(Patience)))
}

// NewDatabase makes an empty database for one test.
func NewDatabase(t testing.TB, template string) (databaseURL string) {
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
	leaseKey  = "vezne-e2e-lease"
	leaseTime = 15 * time.Minute
)

func findQueueServer() (queueServer, error) {
	base, err := url.Parse(os.Getenv("VEZNE_TEST_REDIS_URL"))
	if err != nil || base.Host == "" {
		return queueServer{}, errors.New("VEZNE_TEST_REDIS_URL must name a Redis: run the tests with `make test`, which provides one")
	}
	return queueServer{base: *base}, nil
}

// take finds a database of Redis that holds nothing and that nobody else has, in this package or another one, and waits
// until there is one; release empties it again.
func (s queueServer) take() (redisURL string, release func() error, err error) {
	var taken *redis.Client
	err = Await(func() (err error) {
		redisURL, taken, err = s.tryTake()
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return redisURL, func() error { return errors.Join(taken.FlushDB(context.Background()).Err(), taken.Close()) }, nil
}

func (s queueServer) tryTake() (redisURL string, taken *redis.Client, err error) {
	ctx := context.Background()
	for number := 1; ; number++ {
		u := s.base
		u.Path = fmt.Sprintf("/%d", number)
		client, err := NewRedisClient(u.String())
		if err != nil {
			return "", nil, err
		}
		took, err := client.Eval(ctx, `if redis.call('DBSIZE') > 0 then return 0 end
			redis.call('SET', KEYS[1], '', 'EX', ARGV[1]) return 1`, []string{leaseKey}, int(leaseTime.Seconds())).Int()
		if err == nil && took == 1 {
			return u.String(), client, nil
		}
		_ = client.Close() // it was only asked
		if err != nil {    // there are no more numbers
			return "", nil, fmt.Errorf("no database of the Redis in VEZNE_TEST_REDIS_URL is empty: %w", err)
		}
	}
}

// NewQueue takes a database of Redis for one test.
func NewQueue(t testing.TB) (redisURL string) {
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

// NewRedisClient connects to the Redis at a URL.
func NewRedisClient(redisURL string) (*redis.Client, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, err
	}
	return redis.NewClient(options), nil
}
