package payment_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// allCommands are the commands of every kind.
var allCommands = []payment.Command{
	payment.Offer, payment.ClaimPaid, payment.Approve, payment.Reject, payment.Cancel, payment.Expire, payment.Take, payment.Complete, payment.Fail,
	payment.Begin, payment.GiveUp, payment.SeeMoney, payment.Succeed, payment.Send, payment.Refund, payment.Release, payment.Accept, payment.Correct, payment.Dispute,
}

// subject names a row of the golden table: deposits differ before and after an account was offered.
func subject(p payment.Payment) string {
	if p.Method.Kind() == payment.Deposit && p.Account.AccountID == 0 {
		return "deposit-not-offered"
	}
	return string(p.Method.Kind())
}

// result says what came of a command: the statuses that it leads through, or the fault.
func result(change core.Changeset, err error) string {
	if err != nil {
		return string(fault.CodeOf(err))
	}
	steps := make([]string, len(core.RowsOf[payment.Transition](change)))
	for i, m := range core.RowsOf[payment.Transition](change) {
		steps[i] = string(m.To)
	}
	return strings.Join(steps, ",")
}

// order returns a command to the function that decides it.
func order(t coretest.T, p payment.Payment, c payment.Command) (core.Changeset, error) {
	t.Helper()
	switch d := coretest.Decision(t); c {
	case payment.Offer:
		return payment.DecideOffer(p, coretest.Lira(30000), []owner.DailyUsage{coretest.Account(1)}, coretest.Account(1).Day, d)
	default:
		return transition(p, c, p.Amount, d)
	}
}

// transition makes a move as its decision does: what completes a deposit or a card payment comes with a credit.
func transition(p payment.Payment, c payment.Command, amount money.Amount, d payment.Decision) (core.Changeset, error) {
	completes := []payment.Command{payment.Approve, payment.Succeed, payment.Accept}
	if !p.IsCreditable() || p.IsCredited() || !slices.Contains(completes, c) {
		return payment.Decide(p, c, d)
	}
	change, err := payment.CompleteWith(p, c, payment.Credit{Amount: amount, Source: payment.CreditOfStaff}, d)
	return core.Without[payment.Credit](change), err
}

// TestMoves writes the whole table of moves; testdata/moves.golden was read against the decisions' States.
func TestMoves(t *testing.T) {
	t.Parallel()
	notOffered, offered := coretest.Started(t, payment.ManualDeposit), coretest.Started(t, payment.ManualDeposit)
	offered.Account = owner.OfferedAccount{AccountID: 1, Day: coretest.Account(1).Day, Held: offered.Amount}
	var table strings.Builder
	for _, p := range []payment.Payment{
		notOffered, offered, coretest.Started(t, payment.ManualWithdrawal), coretest.Started(t, payment.CreditCard), coretest.Started(t, payment.BankWithdrawal),
		coretest.Started(t, payment.EIBANTransfer),
	} {
		for _, s := range payment.Statuses() {
			p.Status = s
			for _, c := range allCommands {
				change, err := order(t, p, c)
				if err != nil && !reflect.DeepEqual(change, core.Changeset{}) {
					t.Errorf("%s %s %s: refused, yet changes %+v", subject(p), s, c, change)
				}
				fmt.Fprintf(&table, "%s %s %s -> %s\n", subject(p), s, c, result(change, err))
			}
		}
	}
	coretest.CheckGolden(t, "moves.golden", []byte(table.String()))
}

// TestMethodsShareTheTable: E-IBAN payments and third-party deposits move exactly as manual ones do, and payouts alike.
func TestMethodsShareTheTable(t *testing.T) {
	t.Parallel()
	twins := map[payment.Method]payment.Method{
		payment.EIBANDeposit: payment.ManualDeposit, payment.EIBANWithdrawal: payment.ManualWithdrawal,
		payment.BankDeposit: payment.ManualDeposit, payment.CryptoDeposit: payment.ManualDeposit, payment.WalletDeposit: payment.ManualDeposit,
		payment.CryptoWithdrawal: payment.BankWithdrawal, payment.WalletWithdrawal: payment.BankWithdrawal,
	}
	for method, twin := range twins {
		for _, s := range payment.Statuses() {
			for _, c := range allCommands {
				p, q := coretest.Started(t, method), coretest.Started(t, twin)
				p.Status, q.Status = s, s
				if got, want := result(order(t, p, c)), result(order(t, q, c)); got != want {
					t.Errorf("%s %s %s -> %s, want %s", method, s, c, got, want)
				}
			}
		}
	}
}

// goldenMoves reads the golden table: "subject status command" to result.
func goldenMoves(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "moves.golden"))
	if err != nil {
		t.Fatal(err)
	}
	moves := map[string]string{}
	for line := range strings.Lines(string(text)) {
		key, want, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		if !ok {
			t.Fatalf("moves.golden: %q", line)
		}
		moves[key] = want
	}
	return moves
}

func TestKindsAndStatuses(t *testing.T) {
	t.Parallel()
	finals := map[payment.Status]bool{
		payment.Completed: true, payment.Canceled: true, payment.Expired: true, payment.Rejected: true, payment.Failed: true,
		payment.Success: true, payment.Cancelled: true, payment.Refunded: true,
	}
	for _, s := range payment.Statuses() {
		if s.IsFinal() != finals[s] {
			t.Errorf("%s.IsFinal() = %v", s, s.IsFinal())
		}
	}
	first := map[payment.Kind]payment.Status{
		payment.Deposit: payment.Showing, payment.Withdrawal: payment.Pending, payment.Card: payment.Pending, payment.Payout: payment.Showing,
		payment.Transfer: payment.Pending,
	}
	for kind, want := range first {
		if got := kind.FirstStatus(); got != want {
			t.Errorf("%s starts %s, want %s", kind, got, want)
		}
	}
}

// TestCommandsOf: what Commands lists is what some status allows, or what is refused as late rather than as foreign.
func TestCommandsOf(t *testing.T) {
	t.Parallel()
	for _, m := range payment.Methods() {
		listed := map[payment.Command]bool{}
		for _, c := range m.Kind().Commands() {
			listed[c] = true
		}
		for c := range listed {
			if !slices.Contains(allCommands, c) {
				t.Errorf("%s: %s is not among allCommands", m, c)
			}
		}
		for _, c := range allCommands {
			p := coretest.Started(t, m)
			p.Status = payment.Rejected // leads nowhere, whatever the kind
			want := fault.WrongMethod
			if listed[c] {
				want = fault.AlreadyFinal
			}
			if _, err := order(t, p, c); !fault.Is(err, want) {
				t.Errorf("%s %s: %v, want %s", m, c, err, want)
			}
		}
		commands := m.Kind().Commands()
		commands[0] = "changed"
		if m.Kind().Commands()[0] == "changed" {
			t.Errorf("%s: Commands hands out its own slice", m.Kind())
		}
	}
}

// TestEdges: the statuses of the decisions' States and no others are joined, whatever the command. Out of an end lead only
// staff who accept money that came after it, and a whole refund.
func TestEdges(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"deposit": {
			"canceled completed", "expired completed", "processing canceled", "processing completed", "showing canceled",
			"showing expired", "showing processing",
		},
		"withdrawal": {"pending canceled", "pending processing", "processing completed", "processing failed", "processing rejected"},
		"card":       {"cancelled success", "failed success", "pending cancelled", "pending failed", "pending success", "success refunded"},
		"payout": {
			"failed completed", "processing completed", "processing failed", "showing canceled", "showing processing", "showing rejected",
		},
		"transfer": {"pending cancelled", "pending completed", "pending failed"},
	}
	edges := map[string]map[string]bool{"deposit": {}, "withdrawal": {}, "card": {}, "payout": {}, "transfer": {}}
	for key, steps := range goldenMoves(t) {
		if strings.ToUpper(steps) == steps {
			continue // refused
		}
		words := strings.Fields(key)
		kind, _, _ := strings.Cut(words[0], "-")
		from := words[1]
		isAfterEnd := slices.Contains([]payment.Command{payment.Accept, payment.Refund, payment.Correct, payment.Dispute}, payment.Command(words[2]))
		if payment.Status(from).IsFinal() && !isAfterEnd {
			t.Errorf("%s leads out of an end", key)
		}
		for to := range strings.SplitSeq(steps, ",") {
			if to != from { // an offer stays showing
				edges[kind][from+" "+to] = true
			}
			from = to
		}
	}
	for kind, list := range want {
		if got := slices.Sorted(maps.Keys(edges[kind])); !slices.Equal(got, list) {
			t.Errorf("%s: %q, want %q", kind, got, list)
		}
	}
}
