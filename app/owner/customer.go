package owner

import (
	"cmp"
	"context"
	"strconv"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// maxReasonChars bounds the reason of a block.
const maxReasonChars = 500

// Customer is what is known of a provider's customer. Block is zero: not blocked.
type Customer struct {
	owner.CustomerKey
	report.CustomerHistory
	Block owner.Block
}

// IsBlocked reports whether the customer may not create payments.
func (c Customer) IsBlocked() bool { return !c.Block.BlockedAt.IsZero() }

// Customer finds a provider's customer: somebody who has payments, or is blocked. A provider's staff find their own; a dealer's those
// who have payments with it, and learn of no others and of no block. Faults: Forbidden, NotFound.
func (s *Directory) Customer(ctx context.Context, member staff.Staff, key owner.CustomerKey) (Customer, error) {
	const op = "directory.Customer"
	if err := member.Require(staff.ReadCustomers); err != nil {
		return Customer{}, err
	}
	if scope := member.Scope(); scope.ProviderID != 0 && !scope.CoversProvider(key.ProviderID) {
		return Customer{}, fault.New(op, fault.NotFound)
	}
	c, err := s.customer(ctx, member, key)
	if err == nil && c.PaymentCount == 0 && !c.IsBlocked() {
		err = fault.New(op, fault.NotFound)
	}
	return orNone(op, c, err)
}

// CustomerNow is Customer, of somebody of whom nothing may be left: who was unblocked, and has no payments. Fault: Forbidden.
func (s *Directory) CustomerNow(ctx context.Context, member staff.Staff, key owner.CustomerKey) (Customer, error) {
	if err := member.Require(staff.ReadCustomers); err != nil {
		return Customer{}, err
	}
	return s.customer(ctx, member, key)
}

func (s *Directory) customer(ctx context.Context, member staff.Staff, key owner.CustomerKey) (Customer, error) {
	c := Customer{CustomerKey: key}
	scope := member.Scope()
	var err error
	if c.CustomerHistory, err = s.Reports.CustomerHistory(ctx, key, scope); err != nil || scope.DealerID != 0 {
		return c, err
	}
	c.Block, err = s.Owners.BlockOf(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return c, nil
	}
	return c, err
}

// Blocks returns at most query.Limit rows of the block list that the staff member may see, newest first: to a dealer's staff none is.
// Fault: Forbidden.
func (s *Directory) Blocks(ctx context.Context, member staff.Staff, query owner.BlockQuery) ([]owner.Block, error) {
	if err := member.Require(staff.ReadCustomers); err != nil {
		return nil, err
	}
	scope := member.Scope()
	if query.ProviderID = cmp.Or(query.ProviderID, scope.ProviderID); !scope.CoversProvider(query.ProviderID) {
		return nil, nil
	}
	return s.Owners.Blocks(ctx, query)
}

// Blocking names a customer to be blocked or unblocked, and why.
type Blocking struct {
	owner.CustomerKey
	Reason string
}

// check reads the input. Faults: NotFound (another provider's), Invalid, with the failed fields by their GraphQL names.
func (s *Directory) check(ctx context.Context, member staff.Staff, b Blocking, needsReason bool) (Blocking, error) {
	if !member.Scope().CoversProvider(b.ProviderID) {
		return b, fault.New("directory.check", fault.NotFound)
	}
	form, err := s.knows(ctx, &b.ProviderID, nil)
	if err != nil {
		return b, err
	}
	b.UserID = form.Exact("userId", core.Input{Kind: core.TextInput, Text: b.UserID})
	reason, err := core.CheckReason(b.Reason, maxReasonChars)
	for _, f := range fault.FieldsOf(err) {
		form.Fail(f.Name, f.Key, f.Args[1:]...)
	}
	if b.Reason = reason; reason == "" && needsReason {
		form.Fail("reason", "field.required")
	}
	return b, form.Err("directory.check")
}

// BlockCustomer keeps a customer from creating payments, from the next one on; what was created goes its way. Blocking one
// who is blocked changes nothing. A provider's staff block in the provider's name. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) BlockCustomer(ctx context.Context, by app.Request, b Blocking) (Customer, error) {
	const op = "directory.BlockCustomer"
	if err := by.Require(staff.BlockCustomers); err != nil {
		return Customer{}, err
	}
	b, err := s.check(ctx, by.Staff, b, true)
	if err != nil {
		return Customer{}, fault.E(op, "", err)
	}
	block := owner.Block{CustomerKey: b.CustomerKey, Reason: b.Reason, BlockedBy: by.Actor(), BlockedAt: s.UnitOfWork.Clock.Now()}
	if id := by.Staff.Scope().ProviderID; id != 0 {
		block.BlockedBy.Kind, block.BlockedBy.ID = core.ByProvider, strconv.FormatInt(id, 10)
	}
	entry := core.AuditEntry{Action: "blockCustomer", Target: b.Ref(), Reason: b.Reason, After: block.AuditState()}
	err = s.save(ctx, by, entry, core.Changeset{block})
	if err != nil && !fault.Is(err, fault.Conflict) { // who is blocked already stays so, and nobody did it twice
		return Customer{}, fault.E(op, "", err)
	}
	c, err := s.customer(ctx, by.Staff, b.CustomerKey)
	return orNone(op, c, err)
}

// UnblockCustomer takes a customer off the block list. Unblocking one who is not blocked changes nothing. A provider's staff unblock
// whom the provider blocked, and nobody whom the house did. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UnblockCustomer(ctx context.Context, by app.Request, b Blocking) (Customer, error) {
	const op = "directory.UnblockCustomer"
	if err := by.Require(staff.BlockCustomers); err != nil {
		return Customer{}, err
	}
	b, err := s.check(ctx, by.Staff, b, false)
	if err != nil {
		return Customer{}, fault.E(op, "", err)
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		block, err := s.Owners.BlockOf(ctx, b.CustomerKey)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if by.Staff.Scope().ProviderID != 0 && block.BlockedBy.Kind != core.ByProvider {
			return fault.New(op, fault.Forbidden)
		}
		entry := core.AuditEntry{Action: "unblockCustomer", Target: b.Ref(), Reason: b.Reason, Before: block.AuditState()}
		return s.save(ctx, by, entry, core.Changeset{owner.Unblock(b.CustomerKey)})
	})
	if err != nil {
		return Customer{}, fault.E(op, "", err)
	}
	c, err := s.customer(ctx, by.Staff, b.CustomerKey)
	return orNone(op, c, err)
}
