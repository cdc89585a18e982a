package wallets_test

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// signedCall is a call of the demo's dealer with a request signature, made here once more so that the service's own code is not
// its judge.
type signedCall struct{ method, path, key, stamp, nonce, signature, body string }

// newSignedTransfer is a D6, which moves money.
func newSignedTransfer(in *harness.Installation, walletID, amount string) signedCall {
	return newSignedCall(in, http.MethodPost, "/api/dealer/send-money", `{"wallet_id":"`+walletID+`","recipient_iban":"`+
		harness.CustomerIBAN+`","recipient_name":"Ayşe Yılmaz","amount":`+amount+`}`)
}

func newSignedCall(in *harness.Installation, method, path, body string) signedCall {
	s := signedCall{
		method: method, path: path, body: body, key: in.Keys.Dealer.APIKey, stamp: strconv.FormatInt(time.Now().Unix(), 10),
		nonce: rand.Text(),
	}
	mac := hmac.New(sha256.New, []byte(in.Keys.Dealer.SecretKey))
	mac.Write([]byte("vezne-request-v2\n" + method + "\n" + s.path + "\nx-api-key:" + s.key + "\nx-site-token:\nx-credential-key:\nx-key:\n" +
		"idempotency-key:\nx-timestamp:" + s.stamp + "\nx-nonce:" + s.nonce + "\nsha256:" + harness.Sha256Hex(s.body)))
	s.signature = "v2=" + hex.EncodeToString(mac.Sum(nil))
	return s
}

func (s signedCall) send(t *testing.T, p *harness.Process) harness.Answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), s.method, p.URL+s.path, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Api-Key": s.key, "X-Timestamp": s.stamp, "X-Nonce": s.nonce, "X-Signature": s.signature,
	} {
		r.Header.Set(name, value)
	}
	a, err := harness.Send(r)
	if err != nil {
		t.Error(err)
	}
	return a
}

func isReplay(a harness.Answer) bool {
	return a.Status == http.StatusUnauthorized && strings.Contains(string(a.Body), `"error":"Nonce already used"`)
}

// TestOutageAReplayedTransferIsSentOnce by two processes, at once, after Redis was flushed, while it is out of reach, and when it is
// back with nothing in it.
func TestOutageAReplayedTransferIsSentOnce(t *testing.T) {
	t.Parallel()
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	b := in.OpenBranch()
	servers, w := []*harness.Process{b.Server, in.Serve(b.Settings...)}, b.Wallets[0]
	refused := func(s signedCall, when string) {
		t.Helper()
		for i, p := range servers {
			if a := s.send(t, p); !isReplay(a) {
				t.Errorf("%s, process %d answers a replay with %d %s", when, i, a.Status, a.Body)
			}
		}
	}

	first := newSignedTransfer(in, w.WalletID, "11.00")
	var mu sync.Mutex
	var callers sync.WaitGroup
	taken := 0
	for i := range 20 {
		callers.Go(func() {
			a := first.send(t, servers[i%2])
			mu.Lock()
			defer mu.Unlock()
			if a.Status == http.StatusOK {
				taken++
			} else if !isReplay(a) {
				t.Errorf("a replay is answered with %d %s", a.Status, a.Body)
			}
		})
	}
	callers.Wait()
	if taken != 1 {
		t.Fatalf("%d of 20 equal transfers were taken", taken)
	}
	refused(first, "afterwards")
	client, err := harness.NewRedisClient(redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.FlushAll(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	refused(first, "after Redis was flushed")

	redis.Down(syscall.SIGKILL)
	second := newSignedTransfer(in, w.WalletID, "13.00")
	refused(first, "while Redis is out of reach")
	if a := second.send(t, servers[0]); a.Status != http.StatusOK {
		t.Errorf("without Redis a transfer is answered with %d %s", a.Status, a.Body)
	}
	refused(second, "while Redis is out of reach")
	redis.Up(t)
	refused(first, "with an empty Redis")
	refused(second, "with an empty Redis")

	var made []harness.Transaction
	for _, p := range b.Operator.All(t) {
		if strings.HasPrefix(p.TrackingCode, "TRF-") {
			made = append(made, p)
		}
	}
	if len(made) != 2 {
		t.Errorf("%d transfers were made: %+v", len(made), made)
	}
}

// TestOutageAReplayedReadIsRefused by every process while Redis is there. Without it each process goes on answering reads, and refuses
// what it has answered itself; Redis is told of that when it is back, with nothing in it.
func TestOutageAReplayedReadIsRefused(t *testing.T) {
	t.Parallel()
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	first, second := in.Serve(), in.Serve()
	newRead := func() signedCall { return newSignedCall(in, http.MethodGet, "/api/dealer/eibans", "") }
	answered := func(s signedCall, p *harness.Process, when string) {
		t.Helper()
		if a := s.send(t, p); a.Status != http.StatusOK {
			t.Errorf("%s a read is answered with %d %s", when, a.Status, a.Body)
		}
	}
	refused := func(s signedCall, when string, processes ...*harness.Process) {
		t.Helper()
		for _, p := range processes {
			if a := s.send(t, p); !isReplay(a) {
				t.Errorf("%s a replay is answered with %d %s", when, a.Status, a.Body)
			}
		}
	}
	before := newRead()
	answered(before, first, "with Redis")
	refused(before, "with Redis", first, second)

	redis.Down(syscall.SIGKILL)
	refused(before, "without Redis", first)
	during := newRead()
	answered(during, first, "without Redis")
	refused(during, "without Redis", first, first)
	redis.Up(t)
	refused(before, "with an empty Redis", first)
	refused(during, "with an empty Redis", first)
	harness.Eventually(t, func() error { // the other process finds out by itself that Redis is back
		after := newRead()
		answered(after, first, "with an empty Redis")
		if a := after.send(t, second); !isReplay(a) {
			return fmt.Errorf("the other process answers a replay with %d %s", a.Status, a.Body)
		}
		return nil
	})
	for _, s := range []signedCall{before, during} { // of which the first process tells Redis when it is asked
		refused(s, "with an empty Redis", first, second)
	}
}
