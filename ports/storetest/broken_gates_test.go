package storetest_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// brokenGates is what may be broken about operations and the rest at gateways.
type brokenGates struct {
	operate       func(now, until time.Time) time.Time // the lease of a claim
	operations    func(claimed []core.Operation)
	found         func(o core.Operation) core.Operation
	taken         func(claimed []core.Notification)
	gateways      func(due []int64) []int64
	discrepancies func(q *core.DiscrepancyQuery)
	notes         func(q *core.NotificationQuery)
	accounts      func(a core.GatewayAccount) bool
	dealer        func(d *core.Dealer)
	blocksNobody  bool
}

func (b broken) ClaimOperations(
	ctx context.Context, gatewayID int64, now, until time.Time, limit int,
) ([]core.Operation, error) {
	if b.operate != nil {
		until = b.operate(now, until)
	}
	claimed, err := b.Store.ClaimOperations(ctx, gatewayID, now, until, limit)
	if b.operations != nil {
		b.operations(claimed)
	}
	return claimed, err
}

func (b broken) OperationBy(ctx context.Context, key core.OperationKey) (core.Operation, error) {
	o, err := b.Store.OperationBy(ctx, key)
	if b.found != nil && err == nil {
		o = b.found(o)
	}
	return o, err
}

func (b broken) ClaimNotifications(ctx context.Context, now, until time.Time, limit int) ([]core.Notification, error) {
	claimed, err := b.Store.ClaimNotifications(ctx, now, until, limit)
	if b.taken != nil {
		b.taken(claimed)
	}
	return claimed, err
}

func (b broken) DueGateways(ctx context.Context, now time.Time) ([]int64, error) {
	due, err := b.Store.DueGateways(ctx, now)
	if b.gateways != nil {
		due = b.gateways(due)
	}
	return due, err
}

func (b broken) Discrepancies(ctx context.Context, q core.DiscrepancyQuery) ([]core.Discrepancy, error) {
	if b.discrepancies != nil {
		b.discrepancies(&q)
	}
	return b.Store.Discrepancies(ctx, q)
}

func (b broken) Notifications(ctx context.Context, q core.NotificationQuery) ([]core.Notification, error) {
	if b.notes != nil {
		b.notes(&q)
	}
	return b.Store.Notifications(ctx, q)
}

func (b broken) GatewayAccounts(ctx context.Context) ([]core.GatewayAccount, error) {
	all, err := b.Store.GatewayAccounts(ctx)
	if b.accounts != nil {
		all = slices.DeleteFunc(all, func(a core.GatewayAccount) bool { return !b.accounts(a) })
	}
	return all, err
}

func (b broken) Dealer(ctx context.Context, id int64) (core.Dealer, error) {
	d, err := b.Store.Dealer(ctx, id)
	if b.dealer != nil {
		b.dealer(&d)
	}
	return d, err
}

func (b broken) BlockOf(ctx context.Context, customer core.CustomerKey) (core.Block, error) {
	if b.blocksNobody {
		return core.Block{}, fault.New("broken.BlockOf", fault.NotFound)
	}
	return b.Store.BlockOf(ctx, customer)
}

func gateDefects() []defect {
	return []defect{
		{"loses a coin's digits", "operations/every field of an operation comes back", func() broken {
			return broken{change: eachOperation(func(o *core.Operation) {
				o.Due.Amount = gateway.Lira(amountOf(o.Due)).Amount
			})}
		}},
		{"takes an empty step for none", "operations/each next step comes back alone", func() broken {
			return broken{change: eachOperation(noEmptyStep)}
		}},
		{"gives what it keeps", "operations/what a caller does to its copy does not reach the store", func() broken {
			return broken{brokenGates: brokenGates{found: sharing()}}
		}},
		{"ignores an operation's version", "versions/an old version is a conflict/operation", func() broken {
			return broken{change: takeAnyOperation}
		}},
		{"lets a reference be taken twice", "commit/what must be unique is a conflict when it is taken/operation's reference",
			func() broken {
				return broken{change: eachOperation(func(o *core.Operation) { o.Ref += gateway.Ref(o.ID) })}
			}},
		{"claims of operations overlap", "operation claims/concurrent claimers get disjoint operations and together all of them",
			func() broken { return broken{brokenGates: brokenGates{operate: overlapping}} }},
		{"keeps a lease beyond its end", "operation claims/a leased operation is not given again until its lease is over",
			func() broken {
				return broken{brokenGates: brokenGates{
					operate: func(_, until time.Time) time.Time { return until.Add(time.Microsecond) },
					operations: func(claimed []core.Operation) {
						for i := range claimed {
							claimed[i].LeaseUntil = claimed[i].LeaseUntil.Add(-time.Microsecond)
						}
					},
				}}
			}},
		{"claims operations in no order", "operation claims/the earliest due operations are claimed first", func() broken {
			return broken{brokenGates: brokenGates{operations: slices.Reverse[[]core.Operation]}}
		}},
		{"gives gateways in no order", "operation claims/due gateways come once each, in order", func() broken {
			return broken{brokenGates: brokenGates{gateways: func(due []int64) []int64 { slices.Reverse(due); return due }}}
		}},
	}
}

func gateLogDefects() []defect {
	return []defect{
		{"does not narrow discrepancies to the scope",
			"discrepancies/each filter narrows, alone and together with others/scope", func() broken {
				return broken{brokenGates: brokenGates{discrepancies: func(q *core.DiscrepancyQuery) { q.DealerID = 0 }}}
			}},
		{"ends a page of discrepancies after its cursor",
			"discrepancies/there are at most Limit discrepancies, newest first, page by page", func() broken {
				return broken{brokenGates: brokenGates{discrepancies: func(q *core.DiscrepancyQuery) {
					if q.After != "" {
						q.After += "0"
					}
				}}}
			}},
		{"forgets calls", "commit/a row that is only ever inserted is a conflict the second time", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { c.GatewayCalls = nil }}
		}},
		{"takes a notification twice", "notifications/a key is kept once within its gateway account", func() broken {
			return broken{change: eachNotification(func(n *core.Notification) { n.Key += string(n.ID) })}
		}},
		{"takes what came for text", "notifications/every field of a notification comes back, what came byte for byte",
			func() broken {
				return broken{change: eachNotification(func(n *core.Notification) {
					n.Inbound.Path = strings.ToValidUTF8(n.Inbound.Path, "\ufffd")
				})}
			}},
		{"shows forged notifications to nobody", "notifications/each filter narrows, newest first, page by page/states",
			func() broken {
				return broken{brokenGates: brokenGates{notes: func(q *core.NotificationQuery) {
					q.States = slices.DeleteFunc(slices.Clone(q.States), func(s core.NotificationState) bool {
						return s == core.NotificationForged
					})
				}}}
			}},
		{"claims the newest notifications first", "notifications/the oldest waiting notifications are claimed first",
			func() broken {
				return broken{brokenGates: brokenGates{taken: slices.Reverse[[]core.Notification]}}
			}},
		{"hides disabled gateway accounts", "gateway directory/gateway accounts come by id, disabled ones too", func() broken {
			return broken{brokenGates: brokenGates{accounts: func(a core.GatewayAccount) bool { return a.IsEnabled }}}
		}},
		{"gives dealers without their secret", "directory/every field of a dealer comes back", func() broken {
			return broken{brokenGates: brokenGates{dealer: func(d *core.Dealer) { d.SecretKey = core.Secret{} }}}
		}},
		{"blocks nobody who asks", "directory/who is on the block list is blocked, and nobody else", func() broken {
			return broken{brokenGates: brokenGates{blocksNobody: true}}
		}},
		{"expires what a gateway works on", onlyOpenExpire, func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) {
				eachPayment(c, func(p *core.Payment) { p.AtGate.OperationID = "" })
			}}
		}},
		{"expires no cards", onlyOpenExpire, func() broken {
			return broken{due: func(due *core.DuePage[core.Payment]) {
				due.Rows = slices.DeleteFunc(due.Rows, func(p core.Payment) bool { return p.Status == core.Pending })
			}}
		}},
	}
}

const onlyOpenExpire = "payments/only showing and pending payments that no gateway works on expire by the clock"

func overlapping(now, _ time.Time) time.Time { return now.Add(-time.Second) }

func amountOf(m gateway.Money) (a money.Amount) {
	a, _ = m.Amount.Amount(money.TRY)
	return a
}

func eachOperation(change func(*core.Operation)) func(*memory.Store, *core.Changeset) {
	return func(_ *memory.Store, c *core.Changeset) {
		c.Operations = slices.Clone(c.Operations)
		for i := range c.Operations {
			change(&c.Operations[i])
		}
	}
}

func eachNotification(change func(*core.Notification)) func(*memory.Store, *core.Changeset) {
	return func(_ *memory.Store, c *core.Changeset) {
		c.Notifications = slices.Clone(c.Notifications)
		for i := range c.Notifications {
			change(&c.Notifications[i])
		}
	}
}

func noEmptyStep(o *core.Operation) {
	if r := o.Next.Redirect; r != nil && *r == (gateway.Redirect{}) {
		o.Next.Redirect = nil
	}
}

func takeAnyOperation(s *memory.Store, c *core.Changeset) {
	eachOperation(func(o *core.Operation) {
		stored, _ := s.OperationBy(context.Background(), core.OperationKey{ID: o.ID})
		o.Version = stored.Version + 1
	})(s, c)
}

// sharing gives every caller the same fields of an operation.
func sharing() func(o core.Operation) core.Operation {
	var mu sync.Mutex
	kept := map[core.ID]map[string]string{}
	return func(o core.Operation) core.Operation {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := kept[o.ID]; !ok {
			kept[o.ID] = maps.Clone(o.Fields)
		}
		o.Fields = kept[o.ID]
		return o
	}
}
