// Package settings reads the settings of every command, checks them, and finds keys and database by them.
package settings

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app/sweep"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// Config is every setting, as flag and as environment variable. With neither a database nor a Redis URL everything
// runs embedded: SQLite in the data directory and a Redis inside the process.
type Config struct {
	Listen  string `env:"VEZNE_LISTEN" default:"127.0.0.1:8080" help:"Address and port to listen on; port 0 selects a free port."`
	BaseURL string `env:"VEZNE_BASE_URL" help:"Public base URL of the service, such as https://pay.example.com. Required unless one embedded process listens on a loopback address. Default: the listen address."`
	DataDir string `env:"VEZNE_DATA_DIR" help:"Directory of the embedded database and key. Default: data (serve), demo-data (demo)."`

	AdminListen string `env:"VEZNE_ADMIN_LISTEN" help:"Address and port of metrics, profiling and health checks for the operator, or off. Default: 127.0.0.1:8081, or a free port where that is taken."`
	DrainDelay  string `env:"VEZNE_DRAIN_DELAY" default:"5s" help:"Time for which requests are still served after SIGTERM, while /readyz says that the process is stopping. The demo, Ctrl-C and the role worker do not wait."`

	DatabaseURL string `env:"VEZNE_DATABASE_URL" file:"VEZNE_DATABASE_URL_FILE" help:"PostgreSQL, such as postgres://user:password@host:5432/vezne. Default: embedded SQLite."`
	IsPrepared  bool   `env:"VEZNE_DATABASE_PREPARED" default:"true" help:"Whether statements that run for every payment are prepared once for each PostgreSQL connection. Set false behind a pooler in transaction mode." negatable:""`
	IsByDealer  bool   `env:"VEZNE_DATABASE_BY_DEALER" help:"Whether a transaction holds what belongs to one dealer only, and those of several dealers run beside each other. For a PostgreSQL that is distributed by dealer."`
	ReadURL     string `name:"database-read-url" env:"VEZNE_DATABASE_READ_URL" file:"VEZNE_DATABASE_READ_URL_FILE" help:"A hot standby of the PostgreSQL, from which lists, exports and statistics are read. Default: the primary."`
	ReadMaxLag  string `name:"database-read-max-lag" env:"VEZNE_DATABASE_READ_MAX_LAG" default:"5s" help:"How far the standby may be behind; beyond it the primary is read from."`
	Connections int    `name:"database-connections" env:"VEZNE_DATABASE_CONNECTIONS" default:"19" help:"Connections to PostgreSQL that one process holds at most, 10 to 500."`
	RedisURL    string `env:"VEZNE_REDIS_URL" file:"VEZNE_REDIS_URL_FILE" help:"Redis, such as redis://host:6379/0. Required for the roles api and worker on PostgreSQL. Default: in process."`
	RedisConns  int    `name:"redis-connections" env:"VEZNE_REDIS_CONNECTIONS" default:"0" help:"Connections to Redis that each of a process's two clients holds at most, 5 to 1000; 0: 10 for each processor."`
	MasterKey   string `env:"VEZNE_MASTER_KEY" file:"VEZNE_MASTER_KEY_FILE" help:"Keys that encrypt secrets at rest: base64 of 32 bytes each, comma-separated; the first encrypts, all decrypt, and vezne rekey lets the others go. Default: generated once and kept in the data directory (embedded and demo only)."`
	AuditKey    string `env:"VEZNE_AUDIT_KEY" file:"VEZNE_AUDIT_KEY_FILE" help:"Keys of the audit log's chain: base64 of 32 bytes each, comma-separated; the first signs, all verify. Not one of the master keys. Only processes that do background work need it. Default: generated once and kept in the data directory (embedded and demo only)."`
	TimeZone    string `env:"VEZNE_TIME_ZONE" default:"Europe/Istanbul" help:"Time zone of times in answers and of daily limits."`

	ExpiryDeposit        string `env:"VEZNE_EXPIRY_DEPOSIT" default:"30m" help:"Time until an unpaid deposit expires."`
	OpenPerCustomer      *int   `env:"VEZNE_OPEN_DEPOSITS_PER_CUSTOMER" help:"Open deposits that one customer of a provider, or of a dealer, may have at once; 0: any number. Default: 5 (serve), 1000 (demo)."`
	OpenPerSite          int    `env:"VEZNE_OPEN_DEPOSITS_PER_SITE" default:"5000" help:"Open deposits that one site may have at once; 0: any number."`
	ExpiryCard           string `env:"VEZNE_EXPIRY_CARD" default:"15m" help:"Time until an unpaid card payment expires."`
	ExpiryBankWithdrawal string `env:"VEZNE_EXPIRY_BANK_WITHDRAWAL" default:"24h" help:"Time until a pending third-party bank withdrawal expires."`

	StatementInterval string `env:"VEZNE_STATEMENT_INTERVAL" default:"30s" help:"Interval between reads of each E-IBAN wallet's bank statement."`
	HandCreditTimes   int    `env:"VEZNE_HAND_CREDIT_TIMES" default:"2" help:"Multiple of the requested amount, 1 to 100, up to which one person may credit a deposit manually; above it a second person must approve."`
	MatchScore        int    `env:"VEZNE_MATCH_SCORE" default:"80" help:"Match score, 1 to 100, from which a bank line completes its E-IBAN deposit automatically; 0: never, staff decide."`
	ClaimTimeout      string `env:"VEZNE_CLAIM_TIMEOUT" default:"15m" help:"Time for which a staff member's claim on a withdrawal is exclusive."`

	CallbackSchedule     string `env:"VEZNE_CALLBACK_SCHEDULE" default:"0s,30s,2m,10m,30m,1h,3h,6h,12h,24h" help:"Retry schedule of callbacks: the delay before each attempt."`
	CallbackTimeout      string `env:"VEZNE_CALLBACK_TIMEOUT" default:"10s" help:"Timeout of one attempt."`
	CallbackAllowPrivate *bool  `env:"VEZNE_CALLBACK_ALLOW_PRIVATE" help:"Allow callbacks to private and loopback addresses. Default: no (serve), loopback only (demo)." negatable:""`

	GatewaySandbox      bool  `env:"VEZNE_GATEWAY_SANDBOX" help:"Allow gateway accounts in sandbox mode, and simulators, which move no money. Always on in the demo."`
	TestPayments        *bool `env:"VEZNE_TEST_PAYMENTS" help:"Take the test field of creating calls, by which providers and dealers say themselves what becomes of their payments. Never where money moves. Needs VEZNE_GATEWAY_SANDBOX=true, and is refused while there is a gateway account of production. Default: no (serve), yes (demo)." negatable:""`
	GatewayAllowPrivate bool  `env:"VEZNE_GATEWAY_ALLOW_PRIVATE" help:"Allow gateways at private and loopback addresses, including over plain HTTP."`

	RetainLogs          int `env:"VEZNE_RETAIN_LOGS" default:"90" help:"Days, 7 to 3650, for which calls of gateways and attempts of callbacks are kept; 0: forever."`
	RetainNotifications int `env:"VEZNE_RETAIN_NOTIFICATIONS" default:"400" help:"Days, 30 to 3650, for which gateways' notifications are kept as they came; 0: forever."`
	RetainJobs          int `env:"VEZNE_RETAIN_JOBS" default:"400" help:"Days, 30 to 3650, for which finished jobs are kept; 0: forever."`
	RetainHistory       int `env:"VEZNE_RETAIN_HISTORY" default:"0" help:"Years, 10 to 100, for which histories of payments are kept; 0: forever."`
	RetainAudit         int `env:"VEZNE_RETAIN_AUDIT" default:"0" help:"Years, 10 to 100, for which entries of the audit log are kept; 0: forever."`
	RetainCustomers     int `env:"VEZNE_RETAIN_CUSTOMERS" default:"0" help:"Years, 10 to 100, after their last payment for which customers' personal data is kept; 0: forever."`

	RequireSecondFactor string `env:"VEZNE_REQUIRE_SECOND_FACTOR" help:"Roles whose staff must have a second factor, comma-separated, such as admin,finance; all: every role."`
	StepUpAbove         string `env:"VEZNE_STEP_UP_ABOVE" default:"10000.00" help:"Amount in TRY above which staff must have proven within the last ten minutes who they are (second factor, or password without one) to complete a payment, declare one in progress failed, or release a payout; 0: any amount."`

	TrustedProxies   string `env:"VEZNE_TRUSTED_PROXIES" help:"Trusted proxies, whose X-Forwarded-For header is used: addresses and CIDR blocks, comma-separated."`
	RateLimit        string `env:"VEZNE_RATE_LIMIT" default:"1000/s" help:"Requests per API key: off, or a rate such as 100/s or 6000/m. Failed authentication is limited to a tenth of it per address."`
	LogFormat        string `env:"VEZNE_LOG_FORMAT" default:"text" help:"Format of the log on standard error: text or json."`
	LogRequestsEvery int    `env:"VEZNE_LOG_REQUESTS_EVERY" default:"1" help:"Log one in so many requests that were served well, 1 to 100000; each that failed is logged."`
	LogDebug         bool   `env:"VEZNE_LOG_DEBUG" help:"Enable debug logging."`

	AuditHeadsFile string `env:"VEZNE_AUDIT_HEADS_FILE" help:"File to which signed heads of the audit log are appended; off: none. Default: audit-heads.jsonl in the data directory (embedded only)."`
	AuditHeadsURL  string `env:"VEZNE_AUDIT_HEADS_URL" file:"VEZNE_AUDIT_HEADS_URL_FILE" help:"Address to which signed heads of the audit log are posted."`

	TracesURL string `env:"VEZNE_TRACES_URL" help:"Collector to which traces are sent by OTLP over HTTP, such as http://127.0.0.1:4318. OpenTelemetry's own OTEL_ variables say the rest, such as OTEL_TRACES_SAMPLER. Default: nothing is traced."`

	Introspection *bool `env:"VEZNE_INTROSPECTION" help:"Enable introspection of the back office's GraphQL schema. Default: no (serve), yes (demo)." negatable:""`
	GraphiQL      *bool `name:"graphiql" env:"VEZNE_GRAPHIQL" help:"Serve the GraphiQL query editor at /graphiql. Its completion and documentation need introspection. Default: no (serve), yes (demo)." negatable:""`

	unknown error // says which variables look like settings and are none
}

// Settings is a Config that was found whole. Commands share it.
type Settings struct {
	Config
	Zone              *time.Location
	CallbackWait      time.Duration // for one attempt in all
	Schedule          payment.RetrySchedule
	Proxies           []netip.Prefix
	Retention         sweep.Retention
	SecondFactorRoles []staff.Role
	StepUpAmount      money.Amount
	Rate              core.Rate
	KeyFile           string // of the embedded master key
	SQLiteFile        string
	EpochFile         string // beside the embedded database: how far it is
	AuditKeyFile      string // of the embedded audit key
	headsFile         string // empty: heads are written to none

	DepositExpiry, CardExpiry, BankWithdrawalExpiry time.Duration
	StatementsEvery, ClaimFor, Drain, ReadLag       time.Duration

	IsDemo bool // its key and data are nobody's secret
}

// IsSandbox reports whether gateways that move no money are allowed, and developers may listen to callbacks.
func (s Settings) IsSandbox() bool { return s.IsDemo || s.GatewaySandbox }

// TakesTests reports whether callers may say what becomes of their payments.
func (s Settings) TakesTests() bool {
	if s.TestPayments == nil {
		return s.IsDemo
	}
	return *s.TestPayments
}

// Open deposits.
const (
	maxOpen            = 1_000_000 // bounds their settings
	defaultPerCustomer = 5
	demoPerCustomer    = 1_000 // all who try the printed example are one customer
)

// Bounds of durations.
const (
	minExpiry           = time.Second
	maxExpiry           = 30 * 24 * time.Hour
	maxLogRequestsEvery = 100_000

	minCallbackTimeout = 100 * time.Millisecond
	maxCallbackTimeout = time.Minute
	maxInterval        = time.Hour
	maxDrainDelay      = 5 * time.Minute
	maxRetention       = 3650 // days
	maxRetainYears     = 100

	minReadLag = time.Second
	maxReadLag = 5 * time.Minute

	minRedisConnections = 5
	maxRedisConnections = 1000
)

// Check validates the whole configuration; its error names everything that is wrong, a sentence each.
func (c Config) Check(defaultDir string) (Settings, error) {
	if c.DataDir == "" {
		c.DataDir = defaultDir
	}
	s := Settings{
		Config: c, KeyFile: filepath.Join(c.DataDir, "master.key"), SQLiteFile: filepath.Join(c.DataDir, "vezne.db"),
		EpochFile: filepath.Join(c.DataDir, "epoch.json"), AuditKeyFile: filepath.Join(c.DataDir, "audit.key"), headsFile: c.AuditHeadsFile,
	}
	switch {
	case s.headsFile == "off":
		s.headsFile = ""
	case s.headsFile == "" && s.IsEmbedded():
		s.headsFile = filepath.Join(c.DataDir, "audit-heads.jsonl")
	}
	problems := []error{c.unknown}
	wrong := func(name, format string, args ...any) {
		problems = append(problems, fmt.Errorf("VEZNE_%s %s", name, fmt.Sprintf(format, args...)))
	}
	if !isListen(c.Listen) {
		wrong("LISTEN", "is %q: it must be an address and a port such as 127.0.0.1:8080 or :8080", c.Listen)
	}
	if c.AdminListen != "" && c.AdminListen != AdminOff && !isListen(c.AdminListen) {
		wrong("ADMIN_LISTEN", "is %q: it must be an address and a port such as 127.0.0.1:8081 or :8081, or off", c.AdminListen)
	}
	if !isURL(c.BaseURL, "http", "https") {
		wrong("BASE_URL", "is %q: it must be an http or https address such as https://pay.example.com", c.BaseURL)
	}
	s.BaseURL = strings.TrimRight(c.BaseURL, "/")
	switch {
	case !isURL(c.DatabaseURL, "postgres", "postgresql"):
		wrong("DATABASE_URL", "must be a PostgreSQL address such as postgres://user:password@host:5432/vezne")
	case !hasSSLMode(c.DatabaseURL):
		wrong("DATABASE_URL", "has an sslmode that there is not: it must be one of %s", strings.Join(sslModes[1:], ", "))
	}
	if c.IsByDealer && c.DatabaseURL == "" {
		wrong("DATABASE_BY_DEALER", "needs VEZNE_DATABASE_URL: an embedded database has one transaction at a time")
	}
	switch {
	case !isURL(c.ReadURL, "postgres", "postgresql"):
		wrong("DATABASE_READ_URL", "must be a PostgreSQL address such as postgres://user:password@host:5432/vezne")
	case !hasSSLMode(c.ReadURL):
		wrong("DATABASE_READ_URL", "has an sslmode that there is not: it must be one of %s", strings.Join(sslModes[1:], ", "))
	case c.ReadURL != "" && c.DatabaseURL == "":
		wrong("DATABASE_READ_URL", "needs VEZNE_DATABASE_URL: an embedded database has no standby")
	}
	if c.RedisURL != "" && !strings.HasPrefix(c.RedisURL, "redis") { // the queue knows all of its forms
		wrong("REDIS_URL", "must be a Redis address such as redis://host:6379/0")
	}
	if n := c.Connections; n < bunstore.MinConnections || n > bunstore.MaxConnections {
		wrong("DATABASE_CONNECTIONS", "is %d: it must be %d to %d", n, bunstore.MinConnections, bunstore.MaxConnections)
	}
	if n := c.RedisConns; n != 0 && (n < minRedisConnections || n > maxRedisConnections) {
		wrong("REDIS_CONNECTIONS", "is %d: it must be 0, or %d to %d", n, minRedisConnections, maxRedisConnections)
	}
	var err error
	if s.Zone, err = time.LoadLocation(c.TimeZone); err != nil {
		wrong("TIME_ZONE", "is %q: it must be the name of a time zone such as Europe/Istanbul", c.TimeZone)
	}
	s.checkDurations(wrong)
	if s.Schedule, err = payment.ParseRetrySchedule(c.CallbackSchedule); err != nil {
		wrong("CALLBACK_SCHEDULE", "must be durations such as 0s,30s,2m: %v", err)
	}
	if s.Rate, err = core.ParseRate(c.RateLimit); err != nil {
		wrong("RATE_LIMIT", "is %q: %v", c.RateLimit, err)
	}
	if s.HandCreditTimes < 1 || s.HandCreditTimes > 100 {
		wrong("HAND_CREDIT_TIMES", "is %d: it must be 1 to 100", s.HandCreditTimes)
	}
	for name, n := range map[string]int{
		"OPEN_DEPOSITS_PER_CUSTOMER": s.MostOpenPerCustomer(), "OPEN_DEPOSITS_PER_SITE": s.OpenPerSite,
	} {
		if n < 0 || n > maxOpen {
			wrong(name, "is %d: it must be 0 to %d", n, maxOpen)
		}
	}
	if s.MatchScore < 0 || s.MatchScore > 100 {
		wrong("MATCH_SCORE", "is %d: it must be 0 to 100", s.MatchScore)
	}
	if s.TakesTests() && !s.IsSandbox() {
		wrong("TEST_PAYMENTS", "needs VEZNE_GATEWAY_SANDBOX=true: it is for installations where no money moves")
	}
	s.checkRetention(wrong)
	s.Proxies = parseProxies(c.TrustedProxies, wrong)
	s.SecondFactorRoles = parseRoles(c.RequireSecondFactor, wrong)
	if s.StepUpAmount, err = money.ParseText(c.StepUpAbove, money.TRY); err != nil || s.StepUpAmount.Minor() < 0 {
		wrong("STEP_UP_ABOVE", "is %q: it must be an amount such as 10000.00, or 0", c.StepUpAbove)
	}
	if !isURL(c.AuditHeadsURL, "http", "https") {
		wrong("AUDIT_HEADS_URL", "must be an http or https address such as https://heads.example.com/vezne")
	}
	if !isURL(c.TracesURL, "http", "https") || hasSecret(c.TracesURL) {
		wrong("TRACES_URL", "must be an http or https address such as http://127.0.0.1:4318, without a password or a query: OTEL_EXPORTER_OTLP_HEADERS is for keys")
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		wrong("LOG_FORMAT", "is %q: it must be text or json", c.LogFormat)
	}
	if n := c.LogRequestsEvery; n < 1 || n > maxLogRequestsEvery {
		wrong("LOG_REQUESTS_EVERY", "is %d: it must be 1 to %d", n, maxLogRequestsEvery)
	}
	return s, errors.Join(problems...)
}

// checkRetention reads how long rows are kept. What is kept for less than its least time could not answer a dispute.
func (s *Settings) checkRetention(wrong func(name, format string, args ...any)) {
	s.Retention = sweep.FixedRetention()
	keep := func(name string, days, least int, kinds ...core.Prunable) {
		if days == 0 {
			return
		}
		if days < least || days > maxRetention {
			wrong(name, "is %d: it must be 0, or %d to %d days", days, least, maxRetention)
		}
		for _, kind := range kinds {
			s.Retention[kind] = time.Duration(days) * 24 * time.Hour
		}
	}
	keep("RETAIN_LOGS", s.RetainLogs, 7, core.GatewayCalls, core.CallbackAttempts)
	keep("RETAIN_NOTIFICATIONS", s.RetainNotifications, 30, core.Notifications)
	keep("RETAIN_JOBS", s.RetainJobs, 30, core.Jobs)
	years := func(name string, years int) {
		if years != 0 && (years < owner.KeepFor || years > maxRetainYears) {
			wrong(name, "is %d: it must be 0, or %d to %d years", years, owner.KeepFor, maxRetainYears)
		}
	}
	years("RETAIN_CUSTOMERS", s.RetainCustomers)
	years("RETAIN_AUDIT", s.RetainAudit)
	if years("RETAIN_HISTORY", s.RetainHistory); s.RetainHistory != 0 {
		s.Retention[core.Histories] = time.Duration(s.RetainHistory) * 366 * 24 * time.Hour // a year of any length
	}
}

func (s *Settings) checkDurations(wrong func(name, format string, args ...any)) {
	between := func(name, text string, low, high time.Duration) time.Duration {
		d, err := time.ParseDuration(text)
		if err != nil || d < low || d > high {
			wrong(name, "is %q: it must be a duration between %s and %s, such as 90s, 30m or 24h", text, low, high)
		}
		return d
	}
	s.DepositExpiry = between("EXPIRY_DEPOSIT", s.ExpiryDeposit, minExpiry, maxExpiry)
	s.CardExpiry = between("EXPIRY_CARD", s.ExpiryCard, minExpiry, maxExpiry)
	s.BankWithdrawalExpiry = between("EXPIRY_BANK_WITHDRAWAL", s.ExpiryBankWithdrawal, minExpiry, maxExpiry)
	s.StatementsEvery = between("STATEMENT_INTERVAL", s.StatementInterval, minExpiry, maxInterval)
	s.ClaimFor = between("CLAIM_TIMEOUT", s.ClaimTimeout, minExpiry, maxExpiry)
	s.Drain = between("DRAIN_DELAY", s.DrainDelay, 0, maxDrainDelay)
	s.ReadLag = between("DATABASE_READ_MAX_LAG", s.ReadMaxLag, minReadLag, maxReadLag)
	s.CallbackWait = between("CALLBACK_TIMEOUT", s.CallbackTimeout, minCallbackTimeout, maxCallbackTimeout)
}

// isListen reports whether a text is an address and a port to listen on.
func isListen(text string) bool {
	host, port, err := net.SplitHostPort(text)
	return err == nil && port != "" && !strings.ContainsAny(host, " /")
}

// IsOn reports whether a switch, which may be left to its default, is on.
func IsOn(set *bool, byDefault bool) bool {
	if set == nil {
		return byDefault
	}
	return *set
}

// MostOpenPerCustomer is how many open deposits a customer may have at once.
func (s Settings) MostOpenPerCustomer() int {
	switch {
	case s.OpenPerCustomer != nil:
		return *s.OpenPerCustomer
	case s.IsDemo:
		return demoPerCustomer
	default:
		return defaultPerCustomer
	}
}

func parseProxies(text string, wrong func(name, format string, args ...any)) []netip.Prefix {
	var list []netip.Prefix
	for item := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(item) == "" {
			continue
		}
		p, err := core.ParsePrefix(item)
		if err != nil {
			wrong("TRUSTED_PROXIES", "must be addresses and CIDR blocks: %v", err)
			continue
		}
		list = append(list, p)
	}
	return list
}

func parseRoles(text string, wrong func(name, format string, args ...any)) []staff.Role {
	if strings.TrimSpace(text) == "all" {
		return staff.Roles()
	}
	var roles []staff.Role
	for item := range strings.SplitSeq(text, ",") {
		role := staff.Role(strings.TrimSpace(item))
		if role == "" {
			continue
		}
		if !role.IsRole() {
			wrong("REQUIRE_SECOND_FACTOR", "has %q: the roles are %v, and all", role, staff.Roles())
		}
		roles = append(roles, role)
	}
	return roles
}

// isURL reports whether an optional address has one of the schemes and a host.
func isURL(text string, schemes ...string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && slices.Contains(schemes, u.Scheme)
}

// hasSecret reports whether an address has a password or a query, in which there may be a key.
func hasSecret(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.User != nil || u.RawQuery != "")
}

// AllowsPrivate reports whether callbacks may go to any address.
func (s Settings) AllowsPrivate() bool {
	return s.CallbackAllowPrivate != nil && *s.CallbackAllowPrivate
}

// IsEmbedded reports whether the database is the embedded one.
func (s Settings) IsEmbedded() bool { return s.DatabaseURL == "" }
