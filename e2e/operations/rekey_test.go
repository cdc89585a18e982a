package operations_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// masterKeys are those of an installation: the one that it was seeded with, and a new one.
func masterKeys(t *testing.T, in *harness.Installation) (old, fresh string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(in.Dir, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	fresh = base64.StdEncoding.EncodeToString(raw)
	harness.KeepSecret("a master key", fresh)
	return strings.TrimSpace(string(key)), fresh
}

// withKeys makes an installation's processes use master keys, the first of which encrypts.
func withKeys(in *harness.Installation, keys ...string) {
	in.Env = append(slices.DeleteFunc(slices.Clone(in.Env), func(pair string) bool {
		return strings.HasPrefix(pair, "VEZNE_MASTER_KEY=")
	}), "VEZNE_MASTER_KEY="+strings.Join(keys, ","))
}

// receiptBefore is what the receipt of before has.
const receiptBefore = "%PDF-1.7 what the bank has said of it"

// before is what there was under the old key.
type before struct {
	waiting   harness.Payment // a deposit that its customer has not paid
	atGateway harness.Payment // one whose customer is on the way to a gateway
	visitor   *harness.Visitor
	order     harness.Start
	answer    harness.Answer // to it, with an Idempotency-Key
	job       harness.JobView
	file      []byte // of the job
	receipt   string // the note that it is of, about waiting
}

func makeBefore(t *testing.T, s *harness.Shop) (b before) {
	t.Helper()
	b.waiting = s.Provider.Create(t, "start-manual-deposit", "300.00")
	b.atGateway = s.StartDeposit(t, "wallet", "75.50")
	b.visitor = b.atGateway.Must(t, harness.Press("begin"))
	b.order = harness.Order("42.00")
	var err error
	if b.answer, _, err = s.Provider.Try("start-manual-deposit", b.order, "once"); err != nil || b.answer.Status != 200 {
		t.Fatalf("%d %s (%v)", b.answer.Status, b.answer.Body, err)
	}
	b.job, b.file = s.Admin.Export(t, "CSV", "{}")
	b.receipt, _ = s.Operator.Attach(t, b.waiting.TrackingCode, "was seen", "dekont.pdf", []byte(receiptBefore))
	return b
}

// check uses all of it.
func (b before) check(t *testing.T, s *harness.Shop) {
	t.Helper()
	again, _, err := s.Provider.Try("start-manual-deposit", b.order, "once")
	if err != nil || !bytes.Equal(again.Body, b.answer.Body) {
		t.Errorf("the repeated call is answered with %d %s (%v), not with %s", again.Status, again.Body, err, b.answer.Body)
	}
	b.waiting.At(s.Server).Open(t)
	if file := s.Admin.Download(t, b.job); !bytes.Equal(file, b.file) {
		t.Error("the export from before is another")
	}
	if a := s.Operator.Receipt(t, b.waiting.TrackingCode, b.receipt); a.Status != 200 || string(a.Body) != receiptBefore {
		t.Errorf("the receipt from before is answered with %d %s", a.Status, a.Body)
	}
	if notes := s.Operator.Notes(t, b.waiting.TrackingCode); len(notes) != 1 || notes[0].Text != "was seen" {
		t.Errorf("the notes from before are %+v", notes)
	}
	s.Operator.Must(t, "rejectDeposit", b.waiting.TrackingCode)
	if got := s.To.Callback(t, b.waiting); got.Status != "canceled" {
		t.Errorf("the callback says %+v", got)
	}
	p := s.StartDeposit(t, "bank", "250.00")
	p.Must(t, harness.Press("begin"))
	s.To.Callback(t, p) // the gateway's notification was taken, and its account's credentials open
}

// TestRekeyUnderLoad puts a new master key in front of the old one, encrypts everything anew while payments come and are decided,
// kills that on the way, ends it, and goes on with the new key alone.
func TestRekeyUnderLoad(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		old, fresh := masterKeys(t, in)
		s := in.OpenShop()
		b := makeBefore(t, s)
		s.Server.Stop(t)

		withKeys(in, fresh, old)
		s.Server = in.Serve(harness.Simulated...)
		s.Provider, s.Operator, s.Admin = in.Provider(s.Server), in.SignIn(s.Server, "operator"), in.SignIn(s.Server, "admin")
		answered, isOver := make(chan harness.Payment, 100_000), atomic.Bool{}
		load := harness.StartLoad(2, func() bool {
			_, p, err := s.Provider.Try("start-manual-withdraw", harness.Order("10.00"), rand.Text())
			if err == nil && p.TrackingCode != "" {
				_, err = s.Operator.Pay("completeWithdrawal", p.TrackingCode)
			}
			if err != nil || p.TrackingCode == "" {
				t.Errorf("beside rekey: %+v (%v)", p, err)
				return false
			}
			answered <- p
			return !isOver.Load()
		})
		s.To.Next(t)
		killRekey(t, in)
		said := in.Succeed("rekey", "--pause", "1ms")
		isOver.Store(true)
		load.Wait()
		close(answered)
		var made []harness.Payment
		for p := range answered {
			made = append(made, p)
		}
		if !strings.Contains(said, "it may be removed") || strings.Contains(said, "still in use") {
			t.Errorf("rekey says: %s", said)
		}
		if said := doctorSays(t, in, "--sealed"); !strings.Contains(said, "it may be removed") {
			t.Errorf("doctor says: %s", said)
		}
		s.To.AwaitAll(t, made, "completed")
		s.Server.Stop(t)

		withKeys(in, fresh)
		s.Server = in.Serve(harness.Simulated...)
		s.Provider = in.Provider(s.Server)
		for _, role := range []string{"operator", "admin"} { // with their passwords, which were sealed
			m := in.Member(role)
			if _, err := harness.SignIn(s.Server.URL, m.Email, m.Password); err != nil {
				t.Errorf("the %s signs in: %v", role, err)
			}
		}
		s.Operator, s.Admin = in.SignIn(s.Server, "operator"), in.SignIn(s.Server, "admin")
		b.check(t, s)
		s.Server.Stop(t)
		withKeys(in, old)
		harness.Launch{
			Args: []string{"serve", "--listen", "127.0.0.1:0"}, Env: append(slices.Clone(in.Env), "VEZNE_BASE_URL=http://localhost:8080"),
		}.ExpectFailure(t, "master key")
	})
}

// doctorSays runs doctor with a base URL, which a server chooses for itself here.
func doctorSays(t *testing.T, in *harness.Installation, options ...string) string {
	t.Helper()
	env := append(slices.Clone(in.Env), "VEZNE_BASE_URL=http://localhost:8080")
	o := harness.Launch{Args: append([]string{"doctor"}, options...), Env: env}.Execute(t)
	if o.Code != 0 {
		t.Fatalf("doctor ends with %d:\n%s%s", o.Code, o.Stdout, o.Stderr)
	}
	return o.Stdout
}

// killRekey kills a rekey after its first batch, and sees that doctor notices.
func killRekey(t *testing.T, in *harness.Installation) {
	t.Helper()
	p, err := harness.Launch{Args: []string{"rekey", "--pause", "1h"}, Env: in.Env}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	db := in.OpenDatabase()
	harness.Eventually(t, func() error {
		var keys int
		const query = "SELECT count(DISTINCT substr(body, 1, 11)) FROM idempotency_records"
		err := db.QueryRowContext(t.Context(), query).Scan(&keys)
		if err == nil && keys != 1 {
			err = fmt.Errorf("first answers are under %d keys", keys)
		}
		if err == nil && p.HasExited() {
			err = errors.New("it has ended")
		}
		return err
	})
	p.Kill()
	if said := doctorSays(t, in); !strings.Contains(said, "is still in use") || !strings.Contains(said, "providers.secret_key") {
		t.Errorf("doctor says: %s", said)
	}
}

// TestRekeyTellsWhatIsLeft where something cannot be decrypted.
func TestRekeyTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		old, fresh := masterKeys(t, in)
		withKeys(in, fresh, old)
		if err := in.Tamper("UPDATE dealers SET secret_key = (SELECT secret_key FROM providers WHERE id = 1) WHERE id = 1"); err != nil {
			t.Fatal(err)
		}
		o := harness.Launch{Args: []string{"rekey"}, Env: in.Env}.Execute(t)
		for _, part := range []string{"cannot be decrypted: dealers.secret_key", "is still in use: dealers.secret_key 1"} {
			if o.Code != 1 || !strings.Contains(o.Stdout, part) {
				t.Errorf("rekey ends with %d and says: %s%s", o.Code, o.Stdout, o.Stderr)
			}
		}
	})
}

// TestADatabaseDumpOpensNothing looks for every token and secret of payments, gateways, exports and first answers in all that the
// database holds.
func TestADatabaseDumpOpensNothing(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		b := makeBefore(t, s)
		store := in.OpenStore()
		defer func() { _ = store.Close() }()
		gateways, err := store.GatewayAccounts(t.Context())
		p, err2 := store.PaymentByTrackingCode(t.Context(), b.atGateway.TrackingCode)
		operations, err3 := store.OperationsOf(t.Context(), p.ID)
		if err := errors.Join(err, err2, err3); err != nil || len(gateways) != 1 || len(operations) != 1 {
			t.Fatalf("%d gateways, %d operations, %v", len(gateways), len(operations), err)
		}
		_, replayed, _ := strings.Cut(string(b.answer.Body), "/pay/")
		dump := in.Dump()
		if !bytes.Contains(dump, []byte(b.waiting.TrackingCode)) {
			t.Fatal("the dump has not what this test looks for")
		}
		for what, secret := range map[string]string{
			"a receipt": receiptBefore[9:], "a note": "was seen",
			"a page's token":              harness.PageToken(b.waiting.PaymentURL),
			"a page's token at a gateway": harness.PageToken(b.atGateway.PaymentURL),
			"a token in a first answer":   replayed[:32], "the token of a gateway's notifications": gateways[0].HookToken,
			"a provider's secret": in.Keys.Provider.SecretKey, "a gateway's secret": in.Keys.Sandbox.APISecret,
			"the export": string(b.file[:40]), "a return address": operations[0].ReturnToken,
		} {
			if secret == "" || bytes.Contains(dump, []byte(secret)) {
				t.Errorf("%s is in the database in plain, or is empty: %q", what, secret)
			}
		}
		s.Server.Stop(t)
	})
}
