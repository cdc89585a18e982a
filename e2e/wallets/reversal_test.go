package wallets_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// takenBack is a line by which the bank takes back another one of a wallet.
func takenBack(t *testing.T, b *harness.Branch, w harness.Eiban, l bank.Line, amount string) bank.Line {
	t.Helper()
	back := harness.Line(bank.Outgoing, amount, "iade", l.Party.Name)
	back.Reverses = l.ID
	booked, err := b.Till.Book(b.Account(t, w).ID, back)
	if err != nil {
		t.Fatal(err)
	}
	return booked
}

// depositAt is a deposit whose customer is shown a wallet's account: they take turns.
func depositAt(t *testing.T, b *harness.Branch, w harness.Eiban, amount string) harness.Payment {
	t.Helper()
	for range 2 * len(b.Wallets) {
		if p, shown := deposit(t, b, amount); shown.WalletID == w.WalletID {
			return p
		}
	}
	t.Fatalf("nobody is shown the account of %s", w.WalletID)
	return harness.Payment{}
}

// stands waits until a line has a status, and gives it.
func stands(t *testing.T, b *harness.Branch, w harness.Eiban, id, status string) (found harness.BankLine) {
	t.Helper()
	harness.Eventually(t, func() error {
		for _, l := range b.Operator.Lines(t, w.WalletID, status) {
			if l.LineID == id {
				found = l
				return nil
			}
		}
		return fmt.Errorf("line %s is not %s: %+v", id, status, b.Operator.Lines(t, w.WalletID, "DOUBTFUL"))
	})
	return found
}

// neverCredits checks that nobody credits a deposit with a line.
func neverCredits(t *testing.T, b *harness.Branch, w harness.Eiban, id string, p harness.Payment, code string) {
	t.Helper()
	for _, s := range []harness.Staff{b.Operator, b.Admin} {
		if _, err := creditLine(s, w.WalletID, id, p.TrackingCode); harness.CodeOf(err) != code {
			t.Errorf("crediting line %s gives %v, want %s", id, err, code)
		}
	}
	if found := b.Operator.Transaction(t, p.TrackingCode); found.Status == "COMPLETED" || len(b.To.Of(p.TrackingCode)) > 0 {
		t.Errorf("%s is %s", p.TrackingCode, found.Status)
	}
}

// TestMoneyThatTheBankTakesBack is credited to nobody; what was credited before is told.
func TestMoneyThatTheBankTakesBack(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()

		waiting, w := deposit(t, b, "251") // which is paid and taken back while nobody reads the statement
		b.Server.Stop(t)
		both := b.Booked(t, w, bank.Incoming, "251", waiting.TrackingCode, "AYSE YILMAZ")
		takenBack(t, b, w, both, "251")
		in.FreeStatements()
		b.Open(b.Settings...)
		stands(t, b, w, both.ID, "REVERSED")
		neverCredits(t, b, w, both.ID, waiting, "LINE_REVERSED")

		v := b.Wallets[0] // nobody was shown this account: what comes there is like nothing that was asked for
		if v.WalletID == w.WalletID {
			v = b.Wallets[1]
		}
		early := b.Booked(t, v, bank.Incoming, "252", "", "AYSE YILMAZ") // before anybody asks for it
		stands(t, b, v, early.ID, "UNMATCHED")
		by := takenBack(t, b, v, early, "252")
		stands(t, b, v, by.ID, "REVERSED")
		asked := depositAt(t, b, v, "252")
		third := depositAt(t, b, v, "253")
		paid := b.Booked(t, v, bank.Incoming, "253", third.TrackingCode, "AYSE YILMAZ")
		b.To.Callback(t, third) // matched: what came before it was looked at, too
		neverCredits(t, b, v, early.ID, asked, "LINE_REVERSED")

		takenBack(t, b, v, paid, "53")
		stands(t, b, v, paid.ID, "REVERSED")
		isOwed(t, b, third, paid.ID, "53.00 TRY")
		takenBack(t, b, v, paid, "200")
		harness.Eventually(t, func() error { return owes(b, third, paid.ID, "253.00 TRY") })
		d := isOwed(t, b, third, paid.ID, "253.00 TRY")
		resolve := `mutation($id: ID!, $how: Resolution!) { resolveDiscrepancy(input: {id: $id, resolution: $how, reason: "geri alındı"}) {
			discrepancy { status } } }`
		for _, c := range []struct{ how, code string }{
			{"ACCEPT", "NOT_ALLOWED_IN_STATUS"}, {"WRITE_OFF", ""}, {"WRITE_OFF", "ALREADY_FINAL"},
		} {
			var data any
			if err := b.Admin.Ask(resolve, map[string]any{"id": d.ID, "how": c.how}, &data); harness.CodeOf(err) != c.code {
				t.Errorf("%s gives %v, want %q", c.how, err, c.code)
			}
		}
		b.CheckBooks(t, v)
		b.CheckBooks(t, w)
		b.Server.Stop(t)
	})
}

// lineDiscrepancy is one about a bank line.
type lineDiscrepancy struct {
	ID, Kind, Status, LineID string
	OperationID              *string
	Wallet                   *struct{ ID string }
	Seen                     struct{ Amount, Asset string }
}

func owed(b *harness.Branch, p harness.Payment) (list []lineDiscrepancy, err error) {
	var data struct {
		Transaction struct {
			Discrepancies harness.Nodes[lineDiscrepancy]
		}
	}
	err = b.Operator.Ask(`query($code: String!) { transaction(trackingCode: $code) { discrepancies { nodes {
		id kind status lineId operationId wallet { id } seen { amount asset } } } } }`, map[string]any{"code": p.TrackingCode}, &data)
	return data.Transaction.Discrepancies, err
}

func owes(b *harness.Branch, p harness.Payment, lineID, seen string) error {
	list, err := owed(b, p)
	if err != nil {
		return err
	}
	isIt := len(list) == 1 && list[0].Kind == "REVERSED" && list[0].Status == "OPEN" && list[0].LineID == lineID &&
		list[0].OperationID == nil && list[0].Wallet != nil && list[0].Seen.Amount+" "+list[0].Seen.Asset == seen
	if !isIt {
		return fmt.Errorf("the discrepancies of %s are %+v, want %s", p.TrackingCode, list, seen)
	}
	return nil
}

func isOwed(t *testing.T, b *harness.Branch, p harness.Payment, lineID, seen string) lineDiscrepancy {
	t.Helper()
	if err := owes(b, p, lineID, seen); err != nil {
		t.Fatal(err)
	}
	list, err := owed(b, p)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestOneBankAccountIsCreditedInOneWay: a customer asks for a deposit of each kind, and pays once.
func TestOneBankAccountIsCreditedInOneWay(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		wallet := `mutation($input: CreateWalletInput!) { createWallet(input: $input) { wallet { id } } }`
		input := map[string]any{
			"dealerId": 1, "gatewayId": in.Keys.Sandbox.GatewayID, "bankAccountId": "acc-1", "min": "1", "max": "1000",
		}
		var data any
		if err := b.Admin.Ask(wallet, map[string]any{"input": input}, &data); harness.CodeOf(err) != "BANK_ACCOUNT_TAKEN" {
			t.Errorf("a wallet of the account on which the sandbox collects: %v", err)
		}
		account := `mutation($input: CreateAccountInput!) { createAccount(input: $input) { ibanAccount { id } } }`
		input = map[string]any{
			"dealerId": 1, "kind": "MANUAL", "bankName": "SIM", "holder": "Biri", "iban": bank.TurkishIBAN("99998", "1"), "min": "1",
			"max": "1000",
		}
		if err := b.Admin.Ask(account, map[string]any{"input": input}, &data); harness.CodeOf(err) != "BANK_ACCOUNT_TAKEN" {
			t.Errorf("a manual account of it: %v", err)
		}
		for _, dealer := range []int{1, 2} { // its statement credits E-IBAN deposits already
			input["iban"], input["dealerId"] = b.Wallets[0].IBAN, dealer
			if err := b.Admin.Ask(account, map[string]any{"input": input}, &data); harness.CodeOf(err) != "BANK_ACCOUNT_TAKEN" {
				t.Errorf("dealer %d's manual account of a wallet's: %v", dealer, err)
			}
		}
		collect := `mutation($input: UpdateGatewayAccountInput!) { updateGatewayAccount(input: $input) {
			gatewayAccount { id } } }`
		input = map[string]any{"id": in.Keys.Sandbox.GatewayID, "config": []any{map[string]any{"name": "collecting_ibans", "value": b.Wallets[0].IBAN}}}
		if err := b.Admin.Ask(collect, map[string]any{"input": input}, &data); harness.CodeOf(err) != "BANK_ACCOUNT_TAKEN" {
			t.Errorf("the sandbox collects on a wallet's account: %v", err)
		}

		order := b.StartDeposit(t, "bank", "733.00")
		order.Must(t, harness.Press("begin"))
		ref := b.Operator.Reference(t, order, "DEPOSIT")
		p, w := deposit(t, b, "733")
		l := b.Booked(t, w, bank.Incoming, "733", "havale "+strings.ToLower(ref), "AYSE YILMAZ")
		other := depositAt(t, b, w, "734")
		b.Booked(t, w, bank.Incoming, "734", other.TrackingCode, "AYSE YILMAZ")
		b.To.Callback(t, other)
		found := stands(t, b, w, l.ID, "UNMATCHED")
		if !strings.HasPrefix(found.Note, "names "+order.TrackingCode) || len(found.Candidates) > 0 {
			t.Errorf("the line that names the gateway's order is %+v", found)
		}
		neverCredits(t, b, w, l.ID, p, "LINE_OF_ORDER")
		b.Server.Stop(t)
	})
}
