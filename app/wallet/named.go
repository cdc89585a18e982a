package wallet

import (
	"context"
	"slices"
	"strconv"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/wallet"
)

// naming is what a line says of our operations.
type naming struct {
	operation operation.Operation // the zero Operation: it names none
	isCut     bool                // its text has more codes than are looked up
}

// isOrder reports whether the line names a deposit at a gateway, whose business the money is.
func (n naming) isOrder() bool { return n.operation.Kind == operation.DepositOperation }

// isAny reports whether the line can't be a customer's payment by itself: it names something of ours, or too much.
func (n naming) isAny() bool { return n.operation.ID != "" || n.isCut }

// note is what staff read of it.
func (n naming) note() string {
	switch {
	case n.isOrder():
		return "names " + n.operation.TrackingCode + ", a deposit through gateway " +
			strconv.FormatInt(n.operation.GatewayID, 10) + ": it is settled there, and credits nothing here"
	case n.isCut:
		return "names more payments than are looked up"
	default:
		return "names " + n.operation.TrackingCode
	}
}

// named is the operation of ours that a line names: by the reference that the bank keeps, or by a tracking code or an
// order's id in its text. Of several that the text names a deposit counts first. It is the one place that says so: what
// a line is booked as, matched with, proposed for and credited to goes by it.
func (s *Statements) named(ctx context.Context, l wallet.BankLine) (naming, error) {
	o, err := s.operationBy(ctx, l.EndToEndID)
	if err == nil || !fault.Is(err, fault.NotFound) {
		return naming{operation: o}, err
	}
	codes, isCut := wallet.NamedCodes(l.Text + " " + l.EndToEndID)
	n := naming{isCut: isCut}
	for _, code := range codes {
		p, err := s.UnitOfWork.Payments.PaymentByTrackingCode(ctx, code)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return n, err
		}
		operations, err := s.Operations.OperationsOf(ctx, p.ID)
		if err != nil {
			return n, err
		}
		isDeposit := func(o operation.Operation) bool { return o.Kind == operation.DepositOperation }
		if i := slices.IndexFunc(operations, isDeposit); i >= 0 {
			return naming{operation: operations[i]}, nil
		}
		if n.operation.ID == "" && len(operations) > 0 {
			n.operation = operations[0]
		}
	}
	return n, nil
}

func (s *Statements) operationBy(ctx context.Context, reference string) (operation.Operation, error) {
	if reference == "" {
		return operation.Operation{}, fault.New("statement.operationBy", fault.NotFound)
	}
	return s.Operations.OperationBy(ctx, operation.Key{Reference: reference})
}

// mayCredit says why no deposit may be credited from a line, whoever asks. Faults: NotAllowed (it does not wait),
// LineReversed (the bank took it back), LineOfOrder (it is a gateway's business).
func (s *Statements) mayCredit(ctx context.Context, l wallet.BankLine) error {
	const op = "statement.mayCredit"
	if l.ReversedByLineID != "" {
		return fault.New(op, fault.LineReversed, l.ReversedByLineID)
	}
	if !l.MayCredit() {
		return fault.New(op, fault.NotAllowed, string(l.Status))
	}
	takenBack, err := s.takenBack(ctx, l)
	if err != nil {
		return err
	}
	return s.mayCreditBut(ctx, l, takenBack)
}

// mayCreditBut is mayCredit for a line that waits, where those which are taken back are known.
func (s *Statements) mayCreditBut(ctx context.Context, l wallet.BankLine, takenBack map[core.ID]string) error {
	const op = "statement.mayCredit"
	if by, ok := takenBack[l.ID]; ok {
		return fault.New(op, fault.LineReversed, by)
	}
	n, err := s.named(ctx, l)
	if err == nil && n.isOrder() {
		err = fault.New(op, fault.LineOfOrder, n.operation.TrackingCode)
	}
	return err
}

// takenBack reads which of the lines another one takes back, and which: one statement for each wallet.
func (s *Statements) takenBack(ctx context.Context, lines ...wallet.BankLine) (map[core.ID]string, error) {
	ofWallet := map[int64][]string{}
	for _, l := range lines {
		ofWallet[l.WalletID] = append(ofWallet[l.WalletID], l.LineID)
	}
	by := map[core.ID]string{}
	for wallet, ids := range ofWallet {
		reversals, err := s.Store.Reversals(ctx, wallet, ids)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			for _, r := range reversals {
				if r.TakesBack(l) {
					by[l.ID] = r.LineID
				}
			}
		}
	}
	return by, nil
}

// isOurs reports whether a line is left to what it names, and says so on it. It stays with staff.
func (r *reading) isOurs(ctx context.Context, l wallet.BankLine) (bool, error) {
	n, err := r.named(ctx, l)
	if err != nil || !n.isAny() {
		return false, err
	}
	if l.Status == wallet.LineUnmatched && l.Note == n.note() {
		return true, nil
	}
	l.Version++
	l.Status, l.Note = wallet.LineUnmatched, n.note()
	return true, r.keepLines(ctx, core.Changeset{l})
}

// transferNamed is the operation behind a line that its bank names by our reference, or, where the money has left, by the
// text: what comes in has a text that anybody may have written.
func (s *Statements) transferNamed(ctx context.Context, l wallet.BankLine) (operation.Operation, error) {
	o, err := s.operationBy(ctx, l.EndToEndID)
	if !fault.Is(err, fault.NotFound) || l.Direction != gateway.Outgoing {
		return o, err
	}
	n, err := s.named(ctx, l)
	if err == nil && n.operation.Kind != operation.PayoutOperation {
		err = fault.New("statement.transferNamed", fault.NotFound)
	}
	return n.operation, err
}
