package core_test

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
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// allCommands are the commands of every kind.
var allCommands = []core.Command{
	core.Offer, core.ClaimPaid, core.Approve, core.Reject, core.Cancel, core.Expire, core.Take, core.Complete, core.Fail,
	core.Begin, core.GiveUp, core.SeeMoney, core.Succeed, core.Send, core.Refund, core.Release, core.Accept, core.Correct,
}

// subject names a row of the golden table: deposits differ before and after an account was offered.
func subject(p core.Payment) string {
	if p.Method.Kind() == core.Deposit && p.Account.AccountID == 0 {
		return "deposit-not-offered"
	}
	return string(p.Method.Kind())
}

// result says what came of a command: the statuses that it leads through, or the fault.
func result(change core.Changeset, err error) string {
	if err != nil {
		return string(fault.CodeOf(err))
	}
	steps := make([]string, len(core.RowsOf[core.Move](change)))
	for i, m := range core.RowsOf[core.Move](change) {
		steps[i] = string(m.To)
	}
	return strings.Join(steps, ",")
}

// order gives a command to the function that decides it.
func order(t testingT, p core.Payment, c core.Command) (core.Changeset, error) {
	t.Helper()
	switch d := decision(t); c {
	case core.Offer:
		return core.DecideOffer(p, lira(30000), []core.AccountLoad{account(1)}, account(1).Day, d)
	case core.Approve:
		return core.DecideApproval(p, byHand(p, lira(0)), d)
	case core.Succeed, core.Accept, core.Correct:
		return transition(p, c, d)
	default:
		return core.Decide(p, c, d)
	}
}

// transition makes a move as its decision does: what completes a deposit or a card payment comes with a credit.
func transition(p core.Payment, c core.Command, d core.Decision) (core.Changeset, error) {
	isCreditable := p.Method.Kind() == core.Deposit || p.Method.Kind() == core.Card
	if !isCreditable || p.IsCredited() || c == core.Correct {
		return core.Decide(p, c, d)
	}
	change, err := core.CompleteWith(p, c, core.Credit{Amount: p.Amount, Source: core.CreditOfStaff}, d)
	return core.Without[core.Credit](change), err
}

// byHand is a staff member who credits an amount, having seen the payment as it is; zero is the payment's own amount.
func byHand(p core.Payment, amount money.Amount) core.HandCredit {
	return core.HandCredit{Amount: amount, Expected: p.Amount, AccountMax: lira(1_000_000), MostTimes: 2}
}

// TestMoves writes the whole table of moves; testdata/moves.golden was read against the decisions' States.
func TestMoves(t *testing.T) {
	t.Parallel()
	notOffered, offered := started(t, core.ManualDeposit), started(t, core.ManualDeposit)
	offered.Account = core.OfferedAccount{AccountID: 1, Day: account(1).Day, Held: offered.Amount}
	var table strings.Builder
	for _, p := range []core.Payment{
		notOffered, offered, started(t, core.ManualWithdrawal), started(t, core.CreditCard), started(t, core.BankWithdrawal),
		started(t, core.EIBANTransfer),
	} {
		for _, s := range core.Statuses() {
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
	checkGolden(t, "moves.golden", []byte(table.String()))
}

// TestMethodsShareTheTable: E-IBAN payments and third-party deposits move exactly as manual ones do, and payouts alike.
func TestMethodsShareTheTable(t *testing.T) {
	t.Parallel()
	twins := map[core.Method]core.Method{
		core.EIBANDeposit: core.ManualDeposit, core.EIBANWithdrawal: core.ManualWithdrawal,
		core.BankDeposit: core.ManualDeposit, core.CryptoDeposit: core.ManualDeposit, core.WalletDeposit: core.ManualDeposit,
		core.CryptoWithdrawal: core.BankWithdrawal, core.WalletWithdrawal: core.BankWithdrawal,
	}
	for method, twin := range twins {
		for _, s := range core.Statuses() {
			for _, c := range allCommands {
				p, q := started(t, method), started(t, twin)
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
	finals := map[core.Status]bool{
		core.Completed: true, core.Canceled: true, core.Expired: true, core.Rejected: true, core.Failed: true,
		core.Success: true, core.Cancelled: true, core.Refunded: true,
	}
	for _, s := range core.Statuses() {
		if s.IsFinal() != finals[s] {
			t.Errorf("%s.IsFinal() = %v", s, s.IsFinal())
		}
	}
	first := map[core.Kind]core.Status{
		core.Deposit: core.Showing, core.Withdrawal: core.Pending, core.Card: core.Pending, core.Payout: core.Showing,
		core.Transfer: core.Pending,
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
	for _, m := range core.Methods() {
		listed := map[core.Command]bool{}
		for _, c := range m.Kind().Commands() {
			listed[c] = true
		}
		for c := range listed {
			if !slices.Contains(allCommands, c) {
				t.Errorf("%s: %s is not among allCommands", m, c)
			}
		}
		for _, c := range allCommands {
			p := started(t, m)
			p.Status = core.Rejected // leads nowhere, whatever the kind
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

func TestMethods(t *testing.T) {
	t.Parallel()
	type facts struct {
		prefix   string
		kind     core.Kind
		accounts core.AccountKind
		callback core.CallbackKind
		gateway  gateway.Kind
		hasPage  bool
	}
	want := map[core.Method]facts{
		core.ManualDeposit:    {"MAN-", core.Deposit, core.ManualAccount, core.DepositCallback, "", true},
		core.ManualWithdrawal: {"WIT-", core.Withdrawal, "", core.WithdrawalCallback, "", false},
		core.EIBANDeposit:     {"EIBAN-", core.Deposit, core.EIBANAccount, core.EIBANDepositCallback, "", true},
		core.EIBANWithdrawal:  {"EIBAN-WIT-", core.Withdrawal, "", core.WithdrawalCallback, "", false},
		core.CreditCard:       {"CC-", core.Card, "", core.CreditCardCallback, gateway.Card, true},
		core.BankDeposit:      {"TPBD-", core.Deposit, "", core.DepositCallback, gateway.Bank, true},
		core.BankWithdrawal:   {"TPBW-", core.Payout, "", core.WithdrawalCallback, gateway.Bank, false},
		core.CryptoDeposit:    {"TPCD-", core.Deposit, "", core.DepositCallback, gateway.Crypto, true},
		core.CryptoWithdrawal: {"TPCW-", core.Payout, "", core.WithdrawalCallback, gateway.Crypto, false},
		core.WalletDeposit:    {"TPWD-", core.Deposit, "", core.DepositCallback, gateway.Wallet, true},
		core.WalletWithdrawal: {"TPWW-", core.Payout, "", core.WithdrawalCallback, gateway.Wallet, false},
		core.EIBANTransfer:    {"TRF-", core.Transfer, "", "", gateway.Account, false},
	}
	if len(core.Methods()) != len(want) {
		t.Fatalf("Methods() = %v", core.Methods())
	}
	for _, m := range core.Methods() {
		got := facts{m.Prefix(), m.Kind(), m.Accounts(), m.Callback(), m.Gateway(), m.HasPage()}
		if got != want[m] {
			t.Errorf("%s: %+v, want %+v", m, got, want[m])
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
		isAfterEnd := slices.Contains([]core.Command{core.Accept, core.Refund, core.Correct}, core.Command(words[2]))
		if core.Status(from).IsFinal() && !isAfterEnd {
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
