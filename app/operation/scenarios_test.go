package operation_test

import (
	"cmp"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func by(p *show) app.StaffMove { return apptest.By(p.Operator, p.payment, "asked for") }

// scenario is one row of the sandbox's tables: what is done, for how long is waited, and how everything then stands.
// It ends alike however Vezne comes to know: by notifications and the return, by the return alone, or by asking alone.
type scenario struct {
	what  string
	kurus int64 // the code, as the kuruş of the amount
	acts  []func(*show)
	wait  time.Duration
	end   string
	// but is how it ends otherwise, where the scenario is about just that: news that come after a payment's end.
	but    map[news]string
	config map[string]string
}

// acts lists what people do, one after the other.
func acts(list ...func(*show)) []func(*show) { return list }

func (c scenario) play(t *testing.T, m payment.Method, whole int64) {
	t.Helper()
	ways := allNews()
	if testing.Short() { // one of them, another one in each run, as properties try fewer cases
		ways = []news{ways[rand.IntN(len(ways))]}
	}
	for _, n := range ways {
		t.Run(c.what+", by "+string(n), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, n, c.configs()...)
			p := s.start(m, money.New(whole*100+c.kurus, money.TRY))
			for _, act := range c.acts {
				act(p)
			}
			p.pass(c.wait)
			if got, want := p.end(), cmp.Or(c.but[n], c.end); got != want {
				t.Errorf("it ends as\n\t%s\nand should as\n\t%s", got, want)
			}
		})
	}
}

func (c scenario) configs() []map[string]string {
	if c.config == nil {
		return nil
	}
	return []map[string]string{c.config}
}

// Waits: for a decision of moments, of minutes, for the end of a card's 15 minutes and what comes after it.
const (
	moments  = 20 * time.Second
	minutes  = 4 * time.Minute
	afterEnd = 40 * time.Minute
)

const paidOnce = "success; callbacks 1"

func failedWith(code string) string { return "failed " + code + "; callbacks 1" }

func TestCardScenariosEndAlikeHoweverTheNewsComes(t *testing.T) {
	t.Parallel()
	pays := acts(paysByCard)
	for _, c := range []scenario{
		{what: "1 frictionless", kurus: 0, acts: pays, wait: moments, end: paidOnce},
		{what: "2 challenge, right code", kurus: 1, acts: acts(paysByCard, typesTheCode), wait: moments, end: paidOnce},
		{what: "3 challenge, wrong code", kurus: 2, acts: acts(paysByCard, typesWrongCodes), wait: moments, end: failedWith("AUTHENTICATION_FAILED")},
		{what: "4 canceled by the bank's rules", kurus: 3, acts: pays, wait: moments, end: "cancelled; callbacks 1"},
		{what: "4 canceled by the page's button", kurus: 0, acts: acts(pressesCancelThere), wait: moments, end: "cancelled; callbacks 1"},
		{what: "5 abandoned", kurus: 4, acts: pays, wait: afterEnd, end: failedWith("TIMEOUT")},
		{what: "6 3-D Secure can't start", kurus: 5, wait: moments, end: failedWith("AUTHENTICATION_FAILED")},
		{what: "7 only attempted, not enough", kurus: 6, acts: pays, wait: moments, end: failedWith("AUTHENTICATION_FAILED")},
		{what: "7 only attempted, enough", kurus: 6, acts: pays, wait: moments, end: paidOnce, config: map[string]string{"three_ds": "attempted"}},
		{what: "8 soft decline, then paid", kurus: 7, acts: acts(paysByCard, paysByCard, typesTheCode), wait: moments, end: paidOnce},
		{what: "9 insufficient funds", kurus: 10, acts: pays, wait: moments, end: failedWith("INSUFFICIENT_FUNDS")},
		{what: "10 do not honour", kurus: 11, acts: pays, wait: moments, end: failedWith("DO_NOT_HONOUR")},
		{what: "10 expired", kurus: 12, acts: pays, wait: moments, end: failedWith("EXPIRED_CARD")},
		{what: "10 wrong code", kurus: 13, acts: pays, wait: moments, end: failedWith("WRONG_CVC")},
		{what: "10 limit", kurus: 14, acts: pays, wait: moments, end: failedWith("LIMIT_EXCEEDED")},
		{what: "11 stolen is not told", kurus: 15, acts: pays, wait: moments, end: failedWith("DO_NOT_HONOUR")},
		{what: "11 fraud is not told", kurus: 18, acts: pays, wait: moments, end: failedWith("DO_NOT_HONOUR")},
		{what: "12 issuer silent, then paid", kurus: 16, acts: pays, wait: minutes, end: paidOnce},
		{what: "12 issuer silent, then failed", kurus: 17, acts: pays, wait: minutes, end: failedWith("ISSUER_UNAVAILABLE")},
		{what: "13 paid after our end", kurus: 20, acts: pays, wait: afterEnd, end: "failed TIMEOUT; late open; callbacks 1"},
		{what: "14 told three times", kurus: 21, acts: pays, wait: moments, end: paidOnce},
		{what: "15 told before the return", kurus: 22, acts: pays, wait: moments, end: paidOnce},
		{what: "16 not told", kurus: 23, acts: pays, wait: moments, end: paidOnce},
		{what: "17 does not return", kurus: 24, acts: pays, wait: moments, end: paidOnce},
		{what: "18 out of order", kurus: 25, acts: pays, wait: moments, end: paidOnce},
		{what: "19 half arrives", kurus: 26, acts: pays, wait: afterEnd, end: "pending; short open; callbacks 0"},
		{what: "19 too much arrives", kurus: 27, acts: pays, wait: afterEnd, end: "pending; over open; callbacks 0"},
		{what: "20 another currency", kurus: 28, acts: pays, wait: afterEnd, end: "pending; other_currency open; callbacks 0"},
		{what: "21 forged, old secret, replayed", kurus: 29, acts: pays, wait: moments, end: paidOnce},
		{what: "23 review, approved", kurus: 30, acts: pays, wait: minutes, end: "success; review settled; callbacks 1"},
		{what: "23 review, declined", kurus: 31, acts: pays, wait: minutes, end: "failed DO_NOT_HONOUR; review settled; callbacks 1"},
		{what: "24 failed, then paid on the same page", kurus: 32, acts: acts(paysByCard, paysByCard), wait: moments, end: paidOnce},
		{what: "25 paid twice", kurus: 33, acts: pays, wait: minutes, end: "success; over open; callbacks 1",
			but: map[news]string{returned: paidOnce, polled: "pending; over open; callbacks 0"}}, // seen once; and all of it at the first look
		{what: "26 start: status 500", kurus: 40, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "26 start: too many requests", kurus: 41, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "26 start: broken before", kurus: 42, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "26 start: broken after", kurus: 43, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "27 start: failure with status 200", kurus: 44, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "27 start: a page of HTML", kurus: 45, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "27 start: half an answer", kurus: 46, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "27 start: maintenance", kurus: 47, acts: acts(triesAgain, paysByCard), wait: moments, end: paidOnce},
		{what: "28 refund at once", kurus: 50, acts: acts(paysByCard, refunds), wait: minutes, end: "refunded; callbacks 1; refund of 250.50 TRY done"},
		{what: "28 refund pending, then done", kurus: 51, acts: acts(paysByCard, refunds), wait: minutes, end: "refunded; callbacks 1; refund of 250.51 TRY done"},
		{what: "28 refund pending, then failed", kurus: 52, acts: acts(paysByCard, refunds), wait: minutes, end: "success; callbacks 1; refund of 250.52 TRY failed"},
		{what: "28 half of a refund", kurus: 53, acts: acts(paysByCard, refunds), wait: minutes, end: "success; callbacks 1; refund of 125.27 TRY done"},
		{what: "29 too late to void", kurus: 54, acts: acts(paysByCard, refunds), wait: minutes, end: "refunded; callbacks 1; refund of 250.54 TRY done"},
		{what: "30 charged back", kurus: 55, acts: pays, wait: 26 * time.Hour, end: "success; dispute open; callbacks 1",
			but: map[news]string{returned: paidOnce, polled: paidOnce}}, // what is paid is not asked about any more
	} {
		c.play(t, payment.CreditCard, 250)
	}
}
