package report

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// maxCalls bounds how many calls at gateways are shown of a payment.
const maxCalls = 200

// Batch reads what belongs to payments that were found within the scope: each kind of it once for all of them, when it is
// first asked for. It is safe for concurrent use and lives no longer than a request.
type Batch struct {
	service  *Backoffice
	payments []payment.Payment

	owners        once[owners]
	moves         pages[payment.TransitionID, payment.Transition]
	callbacks     once[map[core.ID][]payment.CallbackLog]
	operations    once[map[core.ID][]operation.Operation]
	calls         once[map[core.ID][]operation.GatewayCall]
	discrepancies pages[core.ID, discrepancy.Discrepancy]
	lines         once[map[core.ID][]wallet.BankLine]
	credits       once[map[core.ID][]payment.Credit]
	disputes      once[map[core.ID][]dispute.Dispute]
}

// Batch takes the payments of a page.
func (s *Backoffice) Batch(payments ...payment.Payment) *Batch {
	return &Batch{service: s, payments: payments}
}

// owners are who asked for payments, by id.
type owners struct {
	providers map[int64]owner.Provider
	dealers   map[int64]owner.Dealer
}

// once is what is read once.
type once[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (o *once[T]) get(read func() (T, error)) (T, error) {
	o.once.Do(func() { o.value, o.err = read() })
	return o.value, o.err
}

// pages are what is read once for each page that is asked for.
type pages[C comparable, R any] struct {
	mu sync.Mutex
	by map[core.Paging[C]]*once[map[core.ID][]R]
}

func (p *pages[C, R]) of(page core.Paging[C]) *once[map[core.ID][]R] {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[core.Paging[C]]*once[map[core.ID][]R]{}
	}
	if p.by[page] == nil {
		p.by[page] = &once[map[core.ID][]R]{}
	}
	return p.by[page]
}

// byID reads rows of payments that have no dealer of their own.
func byID[R any](read func(context.Context, ...core.ID) ([]R, error)) func(context.Context, ...payment.Key) ([]R, error) {
	return func(ctx context.Context, keys ...payment.Key) ([]R, error) {
		ids := make([]core.ID, len(keys))
		for i, k := range keys {
			ids[i] = k.ID
		}
		return read(ctx, ids...)
	}
}

// ofAll reads the rows of all payments and sorts them out.
func ofAll[R any](
	ctx context.Context, b *Batch, o *once[map[core.ID][]R], read func(context.Context, ...payment.Key) ([]R, error),
	of func(R) core.ID, p payment.Payment,
) ([]R, error) {
	all, err := o.get(func() (map[core.ID][]R, error) {
		var keys []payment.Key
		for _, p := range b.payments {
			keys = append(keys, p.Key())
		}
		rows, err := read(ctx, keys...)
		by := map[core.ID][]R{}
		for _, r := range rows {
			by[of(r)] = append(by[of(r)], r)
		}
		return by, err
	})
	return all[p.ID], err
}

func (b *Batch) readOwners(ctx context.Context) (owners, error) {
	return b.owners.get(func() (owners, error) {
		var providerIDs, dealerIDs []int64
		for _, p := range b.payments {
			if p.IsDealers() {
				dealerIDs = append(dealerIDs, p.DealerID)
			} else {
				providerIDs = append(providerIDs, p.ProviderID)
			}
		}
		providers, dealers, err := ownersNamed(ctx, b.service.Directory, providerIDs, dealerIDs)
		return owners{providers, dealers}, err
	})
}

// Provider returns the provider of a payment; a dealer's own has none, which is the zero one.
func (b *Batch) Provider(ctx context.Context, p payment.Payment) (owner.Provider, error) {
	if p.IsDealers() {
		return owner.Provider{}, nil
	}
	found, err := b.readOwners(ctx)
	if err != nil {
		return owner.Provider{}, err
	}
	provider, ok := found.providers[p.ProviderID]
	if !ok {
		return owner.Provider{}, fault.New("backoffice.Provider", fault.NotFound)
	}
	return provider, nil
}

// RequestedBy is who asked for a payment: its provider, or the dealer whose own it is.
func (b *Batch) RequestedBy(ctx context.Context, p payment.Payment) (core.Actor, error) {
	if !p.IsDealers() {
		provider, err := b.Provider(ctx, p)
		return provider.Actor(""), err
	}
	found, err := b.readOwners(ctx)
	if err != nil {
		return core.Actor{}, err
	}
	dealer, ok := found.dealers[p.DealerID]
	if !ok {
		return core.Actor{}, fault.New("backoffice.RequestedBy", fault.NotFound)
	}
	return dealer.Actor(""), nil
}

// History returns a page of a payment's creation and moves, oldest first. The creation, which has the payment's ID and is not
// stored, comes before all moves.
func (b *Batch) History(
	ctx context.Context, p payment.Payment, page core.Paging[payment.TransitionID],
) ([]payment.Transition, error) {
	if page = page.Bounded(); page.Before.ID == p.ID || page.Limit < 1 {
		return nil, nil
	}
	hasCreation := page.After.ID == ""
	if page.After.ID == p.ID {
		page.After = payment.TransitionID{}
	}
	read := byID(func(ctx context.Context, ids ...core.ID) ([]payment.Transition, error) {
		return b.service.Payments.MovesOf(ctx, ids, page)
	})
	moves, err := ofAll(ctx, b, b.moves.of(page), read, func(m payment.Transition) core.ID { return m.PaymentID }, p)
	if err != nil || !hasCreation || page.IsLast && len(moves) >= page.Limit {
		return moves, err
	}
	by, err := b.RequestedBy(ctx, p)
	history := append([]payment.Transition{p.Creation(by)}, moves...)
	return history[:min(len(history), page.Limit)], err
}

// Credits returns what a payment is credited with, then the corrections.
func (b *Batch) Credits(ctx context.Context, p payment.Payment) ([]payment.Credit, error) {
	credits, err := ofAll(ctx, b, &b.credits, b.service.Payments.CreditsOf, func(k payment.Credit) core.ID { return k.PaymentID }, p)
	return append([]payment.Credit{}, credits...), err
}

// Callbacks returns a payment's callbacks with every attempt, oldest first.
func (b *Batch) Callbacks(ctx context.Context, p payment.Payment) ([]payment.CallbackLog, error) {
	logs, err := ofAll(ctx, b, &b.callbacks, byID(b.service.Callbacks.CallbackLogs), func(c payment.CallbackLog) core.ID { return c.PaymentID }, p)
	return append([]payment.CallbackLog{}, logs...), err
}

// Operations returns what was done for a payment at gateways, oldest first: of those of one moment, in the order of their
// numbers, since what comes behind the time in an ID is random.
func (b *Batch) Operations(ctx context.Context, p payment.Payment) ([]operation.Operation, error) {
	all, err := ofAll(ctx, b, &b.operations, byID(b.service.Operations.OperationsOf), func(o operation.Operation) core.ID { return o.PaymentID }, p)
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b operation.Operation) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(string(a.Kind), string(b.Kind)), a.Number-b.Number)
	})
	return all, err
}

// Calls returns the calls made for a payment, newest first.
func (b *Batch) Calls(ctx context.Context, p payment.Payment) ([]operation.GatewayCall, error) {
	read := func(ctx context.Context, ids ...core.ID) ([]operation.GatewayCall, error) {
		return b.service.Operations.GatewayCalls(ctx, operation.GatewayCallQuery{Payments: ids, Limit: maxCalls})
	}
	return ofAll(ctx, b, &b.calls, byID(read), func(c operation.GatewayCall) core.ID { return c.PaymentID }, p)
}

// Discrepancies returns a page of a payment's discrepancies, oldest first.
func (b *Batch) Discrepancies(ctx context.Context, p payment.Payment, page core.Paging[core.ID]) ([]discrepancy.Discrepancy, error) {
	of := func(d discrepancy.Discrepancy) core.ID { return d.PaymentID }
	read := func(ctx context.Context, keys ...payment.Key) ([]discrepancy.Discrepancy, error) {
		return b.service.Operations.DiscrepancyPages(ctx, keys, page)
	}
	return ofAll(ctx, b, b.discrepancies.of(page), read, of, p)
}

// BankLines returns the bank lines that a payment is matched with, oldest first, to who may see wallets.
func (b *Batch) BankLines(ctx context.Context, by staff.Staff, p payment.Payment) ([]wallet.BankLine, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	if !p.IsIn(by.Scope()) {
		return nil, fault.New("backoffice.BankLines", fault.NotFound)
	}
	return ofAll(ctx, b, &b.lines, byID(b.service.Statements.LinesOf), func(l wallet.BankLine) core.ID { return l.PaymentID }, p)
}
