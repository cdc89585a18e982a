package asynqqueue

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	redisPort    = "6379"
	sentinelPort = "26379"
	// A Redis answers within milliseconds or something is wrong; the library's own 5 s, five times over, are long.
	dialTimeout = 2 * time.Second
	ioTimeout   = 2 * time.Second
)

// Reasons never quote the URL, which may hold a password.
var (
	errURL      = errors.New("the Redis URL is not of the form redis://user:password@host:6379/0")
	errDatabase = errors.New("the database of the Redis URL is not a number from 0 (a cluster has no other)")
	errMaster   = errors.New("the Redis URL with sentinels needs ?master=name")
	errOption   = errors.New("the Redis URL has an option that is not known after the question mark")
)

// clusterStateEvery is how old may get what a client knows of a cluster. A master that is killed answers nothing, and so tells nobody
// who has taken over: the library finds that out by looking again alone, by default after a minute.
const clusterStateEvery = 2 * time.Second

// newClient connects as the options say.
func newClient(options *redis.UniversalOptions) redis.UniversalClient {
	if !options.IsClusterMode {
		return redis.NewUniversalClient(options)
	}
	cluster := options.Cluster()
	cluster.ClusterStateReloadInterval = clusterStateEvery
	return redis.NewClusterClient(cluster)
}

// parseURL reads Config.RedisURL. (asynq.ParseRedisURI has no user names and no clusters, passes the password to the
// sentinels only, and takes no second host since Go 1.26.)
func parseURL(text string) (*redis.UniversalOptions, error) {
	options := &redis.UniversalOptions{
		ContextTimeoutEnabled: true, DialTimeout: dialTimeout, DialerRetries: 1, ReadTimeout: ioTimeout,
	}
	if text == "" {
		return options, nil
	}
	u, hosts, err := splitHosts(text)
	if err != nil {
		return nil, errURL
	}
	options.Username = u.User.Username()
	options.Password, _ = u.User.Password()
	kind, secure := strings.CutPrefix(u.Scheme, "rediss")
	if secure {
		options.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12} // each connection adds its server's name
	} else {
		kind = strings.TrimPrefix(u.Scheme, "redis")
	}
	return options, place(options, kind, u, hosts)
}

// splitHosts parses a URL that may name several hosts.
func splitHosts(text string) (*url.URL, []string, error) {
	scheme, rest, _ := strings.Cut(text, "://")
	end := strings.IndexAny(rest+"/", "/?#")
	user := strings.LastIndex(rest[:end], "@") + 1
	hosts := strings.Split(rest[user:end], ",")
	u, err := url.Parse(scheme + "://" + rest[:user] + hosts[0] + rest[end:])
	return u, hosts, err
}

// place fills in where Redis is. What a kind of URL does not know is an error, so that no typing mistake goes unseen.
func place(options *redis.UniversalOptions, kind string, u *url.URL, hosts []string) error {
	query := u.Query()
	option := func(name string) string {
		value := query.Get(name)
		query.Del(name)
		return value
	}
	port, database := redisPort, strings.Trim(u.Path, "/")
	switch {
	case kind == "" && len(hosts) == 1:
	case kind == "-sentinel":
		port = sentinelPort
		options.MasterName = option("master")
		options.SentinelUsername, options.SentinelPassword = option("sentinel_user"), option("sentinel_password")
		if options.MasterName == "" {
			return errMaster
		}
	case kind == "-cluster":
		options.IsClusterMode = true
	case kind == "-socket" && u.Host == "" && u.Path != "":
		options.Addrs, database = []string{u.Path}, option("db")
	default:
		return errURL
	}
	if len(query) > 0 {
		return errOption
	}
	if err := setDatabase(options, database); err != nil || options.Addrs != nil {
		return err
	}
	return setHosts(options, hosts, port)
}

func setDatabase(options *redis.UniversalOptions, text string) error {
	if text == "" {
		return nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 0 || number > 0 && options.IsClusterMode {
		return errDatabase
	}
	options.DB = number
	return nil
}

func setHosts(options *redis.UniversalOptions, hosts []string, port string) error {
	for _, host := range hosts {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), port)
		}
		if strings.HasPrefix(host, ":") {
			return errURL
		}
		options.Addrs = append(options.Addrs, host)
	}
	return nil
}
