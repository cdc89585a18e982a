// Package graph is the back office's API: GraphQL over HTTP. Resolvers decode, call one service method, and return core
// types, mutations in a payload; schema/ is the contract, generated/ comes from it by `make generate`.
package graph

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/99designs/gqlgen/graphql/executor"

	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/queues"
	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/generated"
)

//go:generate go tool gqlgen generate

// defaultTimeout is how long an operation may take where Config does not say.
const defaultTimeout = 10 * time.Second

// Config is what the API is made of.
type Config struct {
	Staff       *staff.Service
	Directory   *owner.Directory
	Withdrawals *payment.Withdrawals
	Notes       *payment.Notes
	Backoffice  *report.Backoffice
	Gateways    *owner.Gateways
	Wallets     *wallet.Wallets
	Statements  *wallet.Statements
	Audit       *audit.Service
	Queues      *queues.Service
	Jobs        *report.Jobs
	Live        *live.Service
	Approvals   *approval.Service
	Commands    *command.Commands
	Statistics  *report.Statistics
	Clock       interface{ Now() time.Time }
	// Positions say how far the database is that replicas follow: who has changed something sees it in everything that is read
	// afterwards. Nil: nothing is read from replicas.
	Positions interface {
		Position(context.Context) (core.Position, error)
	}
	Log *slog.Logger

	// Installation is what the services do not know of where they work.
	Installation Installation
	// IsSecure reports that browsers come over TLS: cookies are for it alone.
	IsSecure bool
	// ClientAddr is the caller's address, for sessions and audit rows.
	ClientAddr func(*http.Request) netip.Addr
	// RequestID names the request in logs and in INTERNAL errors; nil: it has no name.
	RequestID func(*http.Request) string
	// Name is told whose request it is, such as staff/7, for the log; nil: nobody is.
	Name func(r *http.Request, caller string)
	// HasIntrospection lets anybody read the schema from the API.
	HasIntrospection bool
	// Timeout bounds one operation; 0: 10 s.
	Timeout time.Duration
	// Streams bound subscriptions.
	Streams StreamBounds
}

// New makes the handler of /graphql.
func New(c Config) *Endpoint {
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.Name == nil {
		c.Name = func(*http.Request, string) {}
	}
	if c.RequestID == nil {
		c.RequestID = func(*http.Request) string { return "" }
	}
	c.Streams.fill()
	schema := generated.NewExecutableSchema(generated.Config{
		Resolvers: resolvers{c}, Directives: directives(c),
	})
	exec := executor.New(schema)
	exec.SetErrorPresenter(presenter{c.Log}.present)
	exec.SetRecoverFunc(recovered)
	exec.SetParserTokenLimit(maxTokens)
	exec.SetDisableSuggestion(true)
	exec.SetDefaultRulesFn(rulesWithoutSuggestions)
	exec.AroundOperations((&schemaAnswers{}).intercept)
	exec.AroundResponses(inBatches)
	exec.Use(limits{schema: priced{schema}, hasIntrospection: c.HasIntrospection})
	return &Endpoint{Config: c, exec: exec, streams: newStreams(), turns: newTurns()}
}
