package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// takenBack is a line by which the bank takes back another one of a wallet.
func (b *branch) takenBack(t *testing.T, w eiban, l bank.Line, amount string) bank.Line {
	t.Helper()
	back := line(bank.Outgoing, amount, "iade", l.Party.Name)
	back.Reverses = l.ID
	booked, err := b.till.Book(b.account(t, w).ID, back)
	if err != nil {
		t.Fatal(err)
	}
	return booked
}

// depositAt is a deposit whose customer is shown a wallet's account: they take turns.
func (b *branch) depositAt(t *testing.T, w eiban, amount string) payment {
	t.Helper()
	for range 2 * len(b.wallets) {
		if p, shown := b.deposit(t, amount); shown.WalletID == w.WalletID {
			return p
		}
	}
	t.Fatalf("nobody is shown the account of %s", w.WalletID)
	return payment{}
}

// stands waits until a line is in a state, and gives it.
func (b *branch) stands(t *testing.T, w eiban, id, state string) (found bankLine) {
	t.Helper()
	eventually(t, func() error {
		for _, l := range b.operator.lines(t, w.WalletID, state) {
			if l.LineID == id {
				found = l
				return nil
			}
		}
		return fmt.Errorf("line %s is not %s: %+v", id, state, b.operator.lines(t, w.WalletID, "doubtful"))
	})
	return found
}

// neverCredits checks that nobody credits a deposit with a line.
func (b *branch) neverCredits(t *testing.T, w eiban, id string, p payment, code string) {
	t.Helper()
	for _, s := range []staff{b.operator, b.admin} {
		if _, err := s.credit(w.WalletID, id, p.TrackingCode); codeOf(err) != code {
			t.Errorf("crediting line %s gives %v, want %s", id, err, code)
		}
	}
	if found := b.operator.transaction(t, p.TrackingCode); found.Status == "completed" || len(b.to.of(p.TrackingCode)) > 0 {
		t.Errorf("%s is %s", p.TrackingCode, found.Status)
	}
}

// TestMoneyThatTheBankTakesBack is credited to nobody; what was credited before is told.
func TestMoneyThatTheBankTakesBack(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()

		waiting, w := b.deposit(t, "251") // which is paid and taken back while nobody reads the statement
		b.server.stop(t)
		both := b.booked(t, w, bank.Incoming, "251", waiting.TrackingCode, "AYSE YILMAZ")
		b.takenBack(t, w, both, "251")
		in.freeStatements()
		b.open(b.settings...)
		b.stands(t, w, both.ID, "reversed")
		b.neverCredits(t, w, both.ID, waiting, "LINE_REVERSED")

		v := b.wallets[0] // nobody was shown this account: what comes there is like nothing that was asked for
		if v.WalletID == w.WalletID {
			v = b.wallets[1]
		}
		early := b.booked(t, v, bank.Incoming, "252", "", "AYSE YILMAZ") // before anybody asks for it
		b.stands(t, v, early.ID, "unmatched")
		by := b.takenBack(t, v, early, "252")
		b.stands(t, v, by.ID, "reversed")
		asked := b.depositAt(t, v, "252")
		third := b.depositAt(t, v, "253")
		paid := b.booked(t, v, bank.Incoming, "253", third.TrackingCode, "AYSE YILMAZ")
		b.to.callback(t, third) // matched: what came before it was looked at, too
		b.neverCredits(t, v, early.ID, asked, "LINE_REVERSED")

		b.takenBack(t, v, paid, "53")
		b.stands(t, v, paid.ID, "reversed")
		b.isOwed(t, third, paid.ID, "53.00 TRY")
		b.takenBack(t, v, paid, "200")
		eventually(t, func() error { return b.owes(third, paid.ID, "253.00 TRY") })
		d := b.isOwed(t, third, paid.ID, "253.00 TRY")
		resolve := `mutation($id: ID!, $how: Resolution!) { resolveDiscrepancy(id: $id, resolution: $how, reason: "geri alındı") {
			discrepancy { state } } }`
		for _, c := range []struct{ how, code string }{
			{"accept", "NOT_ALLOWED_IN_STATUS"}, {"write_off", ""}, {"write_off", "ALREADY_FINAL"},
		} {
			var data any
			if err := b.admin.ask(resolve, map[string]any{"id": d.ID, "how": c.how}, &data); codeOf(err) != c.code {
				t.Errorf("%s gives %v, want %q", c.how, err, c.code)
			}
		}
		b.checkBooks(t, v)
		b.checkBooks(t, w)
		b.server.stop(t)
	})
}

// lineDiscrepancy is one about a bank line.
type lineDiscrepancy struct {
	ID, Kind, State, LineID string
	OperationID             *string
	Wallet                  *struct{ WalletID string }
	Seen                    struct{ Amount, Asset string }
}

func (b *branch) owed(p payment) (list []lineDiscrepancy, err error) {
	var data struct {
		Transaction struct{ Discrepancies []lineDiscrepancy }
	}
	err = b.operator.ask(`query($code: String!) { transaction(trackingCode: $code) { discrepancies {
		id kind state lineId operationId wallet { walletId } seen { amount asset } } } }`, map[string]any{"code": p.TrackingCode}, &data)
	return data.Transaction.Discrepancies, err
}

func (b *branch) owes(p payment, lineID, seen string) error {
	list, err := b.owed(p)
	if err != nil {
		return err
	}
	isIt := len(list) == 1 && list[0].Kind == "reversed" && list[0].State == "open" && list[0].LineID == lineID &&
		list[0].OperationID == nil && list[0].Wallet != nil && list[0].Seen.Amount+" "+list[0].Seen.Asset == seen
	if !isIt {
		return fmt.Errorf("the discrepancies of %s are %+v, want %s", p.TrackingCode, list, seen)
	}
	return nil
}

func (b *branch) isOwed(t *testing.T, p payment, lineID, seen string) lineDiscrepancy {
	t.Helper()
	if err := b.owes(p, lineID, seen); err != nil {
		t.Fatal(err)
	}
	list, err := b.owed(p)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestOneBankAccountIsCreditedInOneWay: a customer asks for a deposit of each kind, and pays once.
func TestOneBankAccountIsCreditedInOneWay(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()
		wallet := `mutation($input: CreateWalletInput!) { createWallet(input: $input) { wallet { walletId } } }`
		input := map[string]any{
			"dealerId": 1, "gatewayId": in.keys.Sandbox.GatewayID, "bankAccountId": "acc-1", "min": "1", "max": "1000",
		}
		var data any
		if err := b.admin.ask(wallet, map[string]any{"input": input}, &data); codeOf(err) != "BANK_ACCOUNT_TAKEN" {
			t.Errorf("a wallet of the account on which the sandbox collects: %v", err)
		}
		account := `mutation($input: CreateAccountInput!) { createAccount(input: $input) { ibanAccount { id } } }`
		input = map[string]any{
			"dealerId": 1, "kind": "manual", "bankName": "SIM", "holder": "Biri", "iban": bank.TurkishIBAN("99998", "1"), "min": "1",
			"max": "1000",
		}
		if err := b.admin.ask(account, map[string]any{"input": input}, &data); codeOf(err) != "BANK_ACCOUNT_TAKEN" {
			t.Errorf("a manual account of it: %v", err)
		}
		for _, dealer := range []int{1, 2} { // its statement credits E-IBAN deposits already
			input["iban"], input["dealerId"] = b.wallets[0].IBAN, dealer
			if err := b.admin.ask(account, map[string]any{"input": input}, &data); codeOf(err) != "BANK_ACCOUNT_TAKEN" {
				t.Errorf("dealer %d's manual account of a wallet's: %v", dealer, err)
			}
		}
		collect := `mutation($id: ID!, $input: UpdateGatewayAccountInput!) { updateGatewayAccount(id: $id, input: $input) {
			gatewayAccount { id } } }`
		input = map[string]any{"config": []any{map[string]any{"name": "collecting_ibans", "value": b.wallets[0].IBAN}}}
		if err := b.admin.ask(collect, map[string]any{"id": in.keys.Sandbox.GatewayID, "input": input}, &data); codeOf(err) != "BANK_ACCOUNT_TAKEN" {
			t.Errorf("the sandbox collects on a wallet's account: %v", err)
		}

		order := b.startDeposit(t, "bank", "733.00")
		order.must(t, press("begin"))
		ref := b.operator.reference(t, order, "deposit")
		p, w := b.deposit(t, "733")
		l := b.booked(t, w, bank.Incoming, "733", "havale "+strings.ToLower(ref), "AYSE YILMAZ")
		other := b.depositAt(t, w, "734")
		b.booked(t, w, bank.Incoming, "734", other.TrackingCode, "AYSE YILMAZ")
		b.to.callback(t, other)
		found := b.stands(t, w, l.ID, "unmatched")
		if !strings.HasPrefix(found.Note, "names "+order.TrackingCode) || len(found.Candidates) > 0 {
			t.Errorf("the line that names the gateway's order is %+v", found)
		}
		b.neverCredits(t, w, l.ID, p, "LINE_OF_ORDER")
		b.server.stop(t)
	})
}
