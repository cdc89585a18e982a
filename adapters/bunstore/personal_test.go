package bunstore_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// What the customer of these tests is known by, nowhere else to be found.
const (
	oddUser     = "quokka-7731"
	oddUsername = "wombatuser"
	oddName     = "Xylophia Zzyzxson"
	oddIBAN     = "TR980006100519786457849876"
	oddEmail    = "numbat@axolotl.example"
	oddPhone    = "+905559876543"
	oddText     = "kakapo words"
)

var oddWords = []string{
	oddUser, oddUsername, "xylophia", "zzyzxson", oddIBAN, "numbat", "axolotl", "9876543", "kakapo", "PLATYPUSWALLET", "echidna",
}

// oddSubject is the customer.
var oddSubject = owner.Subject{ProviderID: 7, UserID: oddUser}

// oddPayment is one of the customer's, of a method, with everything that any method has.
func oddPayment(t *testing.T, m payment.Method) payment.Payment {
	t.Helper()
	p := core.RowsOf[payment.Payment](newDeposit(t))[0]
	p.Method, p.Status, p.ProviderID, p.TrackingCode = m, payment.Failed, 7, m.Prefix()+string(p.ID[10:])
	p.Customer = owner.Customer{UserID: oddUser, Username: oddUsername, Fullname: oddName}
	p.IBAN = oddIBAN
	p.Payer = payment.CardPayer{OrderID: "O" + string(p.ID), FirstName: "Xylophia", LastName: "Zzyzxson", Email: oddEmail, Phone: oddPhone, Description: oddText}
	p.Payee = payment.Payee{WalletAddress: "PLATYPUSWALLET", WalletNumber: "echidna", Recipient: oddName, Description: oddText}
	p.FinishedAt, p.ExpiresAt = p.CreatedAt, time.Time{}
	return p
}

// around is what others have said of the customer of a payment.
func around(p payment.Payment, n int64) core.Changeset {
	at := p.CreatedAt
	return core.Changeset{
		payment.Callback{
			ID: p.ID, Version: 1, PaymentID: p.ID, Sequence: 1, ProviderID: 7, Kind: payment.DepositCallback, Receiver: "site/1",
			Status: payment.Delivered, CreatedAt: at, FinishedAt: at,
			Payload: payment.Payload{
				TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, Username: oddUsername, Fullname: oddName,
				UserID: oddUser, IBAN: oddIBAN,
				Card: payment.CardPayload{CustomerName: oddName, CustomerEmail: oddEmail, CustomerPhone: oddPhone},
			},
		},
		payment.Attempt{CallbackID: p.ID, ID: p.ID, Number: 1, At: at, HTTPStatus: 200, Answer: "thank you, " + oddName},
		operation.Operation{
			ID: p.ID, Version: 1, PaymentID: p.ID, Kind: operation.DepositOperation, GatewayID: 1, Reference: gateway.Ref(p.ID),
			Phase: operation.Closed, CreatedAt: at, Fields: map[string]string{"name": oddName},
			External: gateway.ExternalRef{ID: "x" + string(p.ID), Alt: map[string]string{"payer": oddName}},
			Reason:   gateway.Reason{RawText: "no account of " + oddName},
		},
		operation.GatewayCall{ID: p.ID, GatewayID: 1, PaymentID: p.ID, OperationID: p.ID, At: at, Outcome: "ok", Detail: oddName},
		wallet.BankLine{
			WalletID: n, LineID: string(p.ID), ID: p.ID, Version: 1, Direction: gateway.Incoming, Amount: p.Amount, BookedAt: at,
			ImportedAt: at, Status: wallet.LineMatched, PaymentID: p.ID, Text: oddText,
			Party: gateway.Party{Name: oddName, IBAN: oddIBAN},
		},
		oddNote(p, 1), note.File{NoteID: p.ID, PaymentID: p.ID, Content: []byte(oddText)},
	}
}

// oddNote is what staff have written about the customer of a payment; the first has a file.
func oddNote(p payment.Payment, number int) note.Note {
	n := note.Note{
		ID: p.ID, PaymentID: p.ID, Number: number, Kind: note.Text, Audience: note.ForAll, Text: oddText + oddName,
		Author: core.Actor{Kind: core.ByStaff, ID: "7", Name: "ops"}, At: p.CreatedAt,
	}
	if number == 1 {
		n.Kind, n.FileName, n.FileType, n.FileSize = note.Receipt, oddName+".pdf", "application/pdf", len(oddText)
	}
	return n
}

// readNotes are the notes of a payment and the content of the first one's file.
func readNotes(t *testing.T, s *bunstore.Store, p payment.Payment) (texts string, file []byte) {
	t.Helper()
	notes, err := s.NotesOf(t.Context(), p.ID)
	if err != nil || len(notes) != 1 {
		t.Fatalf("%+v, %v", notes, err)
	}
	found, err := s.NoteFile(t.Context(), notes[0].ID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	return notes[0].Text + notes[0].FileName, found.Content
}

// TestNotesGoWithTheirCustomer: also at a process that has the customer's key at hand, and what comes late is not taken.
func TestNotesGoWithTheirCustomer(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		s, theirs, _ := holding(t, cfg)
		other := openStore(t, cfg)
		p := theirs[0]
		if text, file := readNotes(t, other, p); text != oddText+oddName+oddName+".pdf" || string(file) != oddText {
			t.Fatalf("before it says %q, with %q", text, file)
		}
		erase(t, s)
		for name, store := range map[string]*bunstore.Store{"the process that forgot": s, "another": other} {
			if text, file := readNotes(t, store, p); text != "" || file != nil {
				t.Errorf("%s still says %q, with %q", name, text, file)
			}
			if err := store.Commit(t.Context(), core.Changeset{oddNote(p, 2)}); !fault.Is(err, fault.Conflict) {
				t.Errorf("%s takes a note about who is forgotten: %v", name, err)
			}
		}
	})
}

// holding is a store with payments of the customer of all methods, and one of somebody else's with the same name.
func holding(t *testing.T, cfg bunstore.Config) (s *bunstore.Store, theirs []payment.Payment, other payment.Payment) {
	t.Helper()
	s = openStore(t, cfg)
	for i, m := range payment.Methods() {
		if m == payment.EIBANTransfer {
			continue // a dealer's own: its user id is a wallet's
		}
		p := oddPayment(t, m)
		theirs = append(theirs, p)
		for _, change := range []core.Changeset{{p}, around(p, int64(i))} {
			if err := s.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
	}
	other = oddPayment(t, payment.ManualDeposit)
	other.ProviderID, other.Customer = 8, owner.Customer{UserID: "somebody", Username: "else", Fullname: "Xylophia Other"}
	if err := s.Commit(t.Context(), core.Changeset{other}); err != nil {
		t.Fatal(err)
	}
	return s, theirs, other
}

// erase forgets the customer as the use case does.
func erase(t *testing.T, s *bunstore.Store) owner.HeldData {
	t.Helper()
	held, err := s.HeldData(t.Context(), oddSubject)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), core.Changeset{held.Erasure(time.Now())}); err != nil {
		t.Fatal(err)
	}
	if err := s.EraseData(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	return held
}

// dump is everything that a database has, but for which words stand in names.
func dump(t *testing.T, cfg bunstore.Config, isWithWords bool) string {
	t.Helper()
	db := rawDatabase(t, cfg)
	var all strings.Builder
	for table, names := range textColumns(t, cfg, db) {
		for _, column := range names {
			if table == "name_words" && !isWithWords {
				continue
			}
			for _, value := range values(t, db, table, column) {
				fmt.Fprintf(&all, "%s.%s: %s\n", table, column, value)
			}
		}
	}
	return all.String()
}

// values are those of a column.
func values(t *testing.T, db *sql.DB, table, column string) (list [][]byte) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), fmt.Sprintf("SELECT %s FROM %s", column, table))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var value []byte
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		list = append(list, value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func wordsIn(text string, words ...string) (found []string) {
	for line := range strings.Lines(text) {
		for _, w := range words {
			if strings.Contains(strings.ToLower(line), strings.ToLower(w)) {
				found = append(found, w+" in "+strings.TrimSpace(line))
			}
		}
	}
	return found
}

func TestWhatIsPersonalStandsNowhereInPlain(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		s, theirs, _ := holding(t, cfg)
		// The user id is the provider's own name for the customer; what gateways and receivers said goes with the customer.
		plain := slices.DeleteFunc(wordsIn(dump(t, cfg, false), oddWords...), func(found string) bool {
			return strings.Contains(found, "payments.user_id:") || strings.Contains(found, "attempts.answer:") ||
				strings.Contains(found, "gateway_calls.detail:")
		})
		if len(plain) > 0 {
			t.Errorf("in plain: %v", plain)
		}
		again := openStore(t, cfg) // has no key at hand
		for _, want := range theirs {
			got, err := again.PaymentByID(t.Context(), want.ID)
			if err != nil || got.Customer != want.Customer || got.IBAN != want.IBAN || got.Payer != want.Payer || got.Payee != want.Payee {
				t.Fatalf("%+v, %v", got, err)
			}
			lines, err := again.LinesOf(t.Context(), want.ID)
			if err != nil || len(lines) != 1 || lines[0].Party.Name != oddName {
				t.Fatalf("%+v, %v", lines, err)
			}
			callbacks, err := again.CallbacksOf(t.Context(), want.ID)
			if err != nil || len(callbacks) != 1 || callbacks[0].Payload.Fullname != oddName || callbacks[0].Payload.Card.CustomerEmail != oddEmail {
				t.Fatalf("%+v, %v", callbacks, err)
			}
		}
		found, err := s.SearchPayments(t.Context(), report.PaymentQuery{Name: "zzyz xylo", Paging: core.Paging[report.Cursor]{Limit: 50}})
		if err != nil || len(found.Payments) != len(theirs) {
			t.Errorf("%d found, %v", len(found.Payments), err)
		}
	})
}

func TestAForgottenCustomerIsInNoColumn(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		s, theirs, other := holding(t, cfg)
		held := erase(t, s)
		if held.PaymentCount != len(theirs) {
			t.Errorf("%d payments", held.PaymentCount)
		}
		if cfg.Path != "" {
			execute(t, rawDatabase(t, cfg), "VACUUM")
		}
		words := slices.DeleteFunc(slices.Clone(oddWords), func(w string) bool { // the other customer's payment has these, sealed
			return w == "xylophia"
		})
		if left := wordsIn(dump(t, cfg, true), words...); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		for _, want := range theirs {
			got, err := s.PaymentByID(t.Context(), want.ID)
			if err != nil || got.Amount != want.Amount || got.Status != want.Status || got.Payer.OrderID != want.Payer.OrderID {
				t.Fatalf("%+v, %v", got, err)
			}
			if !owner.IsForgotten(got.Customer.UserID) || got.Customer.Fullname+got.Customer.Username+got.IBAN != "" {
				t.Errorf("%+v", got)
			}
			logs, err := s.CallbackLogs(t.Context(), want.ID)
			if err != nil || len(logs) != 1 || logs[0].Payload.Amount != want.Amount || logs[0].Payload.Fullname != "" {
				t.Errorf("%+v, %v", logs, err)
			}
		}
		limit := core.Paging[report.Cursor]{Limit: 50}
		for what, q := range map[string]report.PaymentQuery{
			"zzyzxson": {Name: "zzyzxson"}, "user": {UserID: oddUser}, "beginning": {Text: "zzyz"},
		} {
			q.Paging = limit
			if found, err := s.SearchPayments(t.Context(), q); err != nil || len(found.Payments) > 0 {
				t.Errorf("%s: %d found, %v", what, len(found.Payments), err)
			}
		}
		for what, q := range map[string]report.PaymentQuery{"name": {Name: "xylo"}, "IBAN": {IBAN: oddIBAN}} {
			q.Paging = limit
			if found, err := s.SearchPayments(t.Context(), q); err != nil || len(found.Payments) != 1 || found.Payments[0].ID != other.ID {
				t.Errorf("somebody else's %s: %d found, %v", what, len(found.Payments), err)
			}
		}
		if _, err := s.HeldData(t.Context(), oddSubject); !fault.Is(err, fault.NotFound) {
			t.Errorf("held: %v", err)
		}
	})
}

// TestAKeyThatAnotherProcessHasDestroyedSealsNothing: what a process remembers of a customer may be out of date.
func TestAKeyThatAnotherProcessHasDestroyedSealsNothing(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		s, theirs, _ := holding(t, cfg)
		erase(t, openStore(t, cfg))
		back := oddPayment(t, payment.ManualDeposit)
		if err := s.Commit(t.Context(), core.Changeset{back}); err != nil {
			t.Fatal(err)
		}
		got, err := openStore(t, cfg).PaymentByID(t.Context(), back.ID)
		if err != nil || got.Customer != back.Customer {
			t.Errorf("%+v, %v", got.Customer, err)
		}
		history, err := s.CustomerHistory(t.Context(), owner.CustomerKey{ProviderID: 7, UserID: oddUser}, core.Scope{})
		if err != nil || history.PaymentCount != 1 {
			t.Errorf("%+v, %v", history, err)
		}
		saved := theirs[0]
		saved.Version, saved.Reason = 2, "corrected"
		if err := s.Commit(t.Context(), core.Changeset{saved}); err != nil {
			t.Fatal(err)
		}
		if left := wordsIn(dump(t, cfg, false), "wombatuser", "zzyzxson"); len(left) > 0 {
			t.Errorf("saving brought back: %v", left)
		}
		if got, err := s.PaymentByID(t.Context(), saved.ID); err != nil || !owner.IsForgotten(got.Customer.UserID) || got.Reason != "corrected" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestWhoHasAnOpenPaymentIsNotForgotten(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		s, _, _ := holding(t, cfg)
		held, err := s.HeldData(t.Context(), oddSubject)
		if err != nil {
			t.Fatal(err)
		}
		open := oddPayment(t, payment.ManualDeposit)
		open.Status, open.FinishedAt = payment.Showing, time.Time{}
		if err := s.Commit(t.Context(), core.Changeset{open}); err != nil { // after whoever forgets has looked
			t.Fatal(err)
		}
		err = s.Commit(t.Context(), core.Changeset{held.Erasure(time.Now())})
		if !fault.Is(err, fault.Conflict) {
			t.Errorf("erased: %v", err)
		}
		if got, err := openStore(t, cfg).PaymentByID(t.Context(), open.ID); err != nil || got.Customer.Fullname != oddName {
			t.Errorf("%+v, %v", got.Customer, err)
		}
		if held, err = s.HeldData(t.Context(), oddSubject); err != nil || held.OpenCount != 1 {
			t.Errorf("%+v, %v", held, err)
		}
	})
}

// TestTwinsMakeOneKey: the first payments of one customer come at once, to two processes.
func TestTwinsMakeOneKey(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		stores := []*bunstore.Store{openStore(t, cfg), openStore(t, cfg)}
		var all sync.WaitGroup
		var made []payment.Payment
		for i := range 16 {
			p := oddPayment(t, payment.ManualDeposit)
			p.Customer.UserID = oddUser + string(rune('a'+i/8))
			made = append(made, p)
			all.Go(func() {
				if err := stores[i%2].Commit(t.Context(), core.Changeset{p}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		reader := openStore(t, cfg)
		for _, p := range made {
			if got, err := reader.PaymentByID(t.Context(), p.ID); err != nil || got.Customer != p.Customer {
				t.Errorf("%+v, %v", got.Customer, err)
			}
		}
		var keys int
		err := rawDatabase(t, cfg).QueryRowContext(t.Context(), "SELECT count(DISTINCT key_id) FROM payments").Scan(&keys)
		if err != nil || keys != 2 {
			t.Errorf("%d keys, %v", keys, err)
		}
	})
}

// TestARandomUserIDIsNoPseudonym: what a provider calls its customers is not taken for somebody who was forgotten.
func TestARandomUserIDIsNoPseudonym(t *testing.T) {
	t.Parallel()
	p := oddPayment(t, payment.ManualDeposit)
	for id, want := range map[string]bool{
		owner.Pseudonym(string(p.ID)): true, "forgotten-" + rand.Text()[:8]: false, oddUser: false, "forgotten-": false, "": false,
	} {
		if owner.IsForgotten(id) != want {
			t.Errorf("%q: want %t", id, want)
		}
	}
}
