package operation_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// More waits: past the 30 minutes of a deposit, and past the next day.
const (
	pastDeposit = 50 * time.Minute
	nextDay     = 27 * time.Hour
)

const (
	completed = "completed; callbacks 1"
	expired   = "expired; callbacks 1"
	stillOpen = "showing; callbacks 0" // the sandbox has other ways, too
)

// unseen is for what happens after the payment was completed: only a notification tells.
var unseen = map[news]string{returned: completed, polled: completed}

func TestWalletScenariosEndAlikeHoweverTheNewsComes(t *testing.T) {
	t.Parallel()
	pays := acts(paysByWallet)
	for _, c := range []scenario{
		{what: "paid", kurus: 0, acts: pays, wait: moments, end: completed},
		{what: "canceled in the wallet", kurus: 3, acts: pays, wait: moments, end: stillOpen},
		{what: "the app is closed", kurus: 4, acts: pays, wait: pastDeposit, end: expired},
		{what: "the record is deleted", kurus: 8, acts: pays, wait: 2 * time.Hour, end: expired},
		{what: "told by a shared secret", kurus: 9, acts: pays, wait: moments, end: completed},
		{what: "too little in it", kurus: 10, acts: pays, wait: moments, end: stillOpen},
		{what: "over its limit", kurus: 14, acts: pays, wait: moments, end: stillOpen},
		{what: "paid late", kurus: 20, acts: pays, wait: pastDeposit, end: completed}, // a processing deposit waits for its gateway
		{what: "told before the return", kurus: 22, acts: pays, wait: moments, end: completed},
		{what: "does not return", kurus: 24, acts: pays, wait: moments, end: completed},
		{what: "refunded", kurus: 50, acts: acts(paysByWallet, refunds), wait: minutes, end: "completed; callbacks 1; refund of 250.50 TRY done"},
	} {
		c.play(t, payment.WalletDeposit, 250)
	}
}

func TestBankDepositScenariosEndAlikeHoweverTheNewsComes(t *testing.T) {
	t.Parallel()
	for _, c := range []scenario{
		{what: "exact with reference", kurus: 0, wait: moments, end: completed},
		{what: "nobody pays", kurus: 4, wait: pastDeposit, end: expired},
		{what: "booked after our end", kurus: 20, wait: 2 * time.Hour, end: "expired; late open; callbacks 1"},
		{what: "reference missing", kurus: 60, wait: pastDeposit, end: expired},
		{what: "reference misspelt", kurus: 61, wait: pastDeposit, end: expired},
		{what: "the sender's name differs", kurus: 62, wait: moments, end: completed},
		{what: "somebody else pays", kurus: 63, wait: pastDeposit, end: "processing; review open; callbacks 0"},
		{what: "too little", kurus: 26, wait: pastDeposit, end: "processing; short open; callbacks 0"},
		{what: "too much", kurus: 27, wait: pastDeposit, end: "processing; over open; callbacks 0"},
		{what: "paid twice", kurus: 33, wait: minutes, end: "completed; over open; callbacks 1", but: map[news]string{
			returned: "processing; over open; callbacks 0", polled: "processing; over open; callbacks 0"}}, // all of it at the first look
		{what: "reversed the next day", kurus: 64, wait: nextDay, end: "completed; dispute open; callbacks 1", but: unseen}, // what is paid is not asked about any more
		{what: "booked after midnight", kurus: 65, wait: nextDay, end: completed},
		{what: "start: broken after", kurus: 43, wait: minutes, end: completed}, // the sandbox's payer knows where to pay
	} {
		c.play(t, payment.BankDeposit, 250)
	}
}

func TestCryptoScenariosEndAlikeHoweverTheNewsComes(t *testing.T) {
	t.Parallel()
	for _, c := range []scenario{
		{what: "exact, by confirmations", kurus: 0, wait: moments, end: completed},
		{what: "nobody pays", kurus: 4, wait: pastDeposit, end: expired},
		{what: "after our end", kurus: 20, wait: 2 * time.Hour, end: "expired; late open; callbacks 1"},
		{what: "under by less than the gateway's tolerance", kurus: 70, wait: minutes, end: "processing; short open; callbacks 0"}, // ours is 0
		{what: "under by more", kurus: 71, wait: pastDeposit, end: "processing; short open; callbacks 0"},
		{what: "two parts that add up", kurus: 72, wait: minutes, end: "completed; short settled; callbacks 1"},
		{what: "over", kurus: 27, wait: pastDeposit, end: "processing; over open; callbacks 0"},
		{what: "another coin", kurus: 73, wait: pastDeposit, end: "processing; review open; callbacks 0"},
		{what: "another network", kurus: 74, wait: pastDeposit, end: "processing; review open; callbacks 0"},
		{what: "no memo", kurus: 75, wait: pastDeposit, end: "processing; review open; callbacks 0"},
		{what: "seen, then dropped", kurus: 76, wait: pastDeposit, end: "canceled; callbacks 1"},
		{what: "after the quote", kurus: 77, wait: pastDeposit, end: "processing; review open; callbacks 0"},
		{what: "the address again", kurus: 78, wait: nextDay, end: "completed; over open; callbacks 1", but: unseen},
		{what: "refunded to an address", kurus: 50, acts: acts(refunds), wait: minutes, end: "completed; callbacks 1; refund of 6.2625 USDT (TRC20) done"},
	} {
		c.play(t, payment.CryptoDeposit, 250)
	}
}

func TestPayoutScenariosEndAlikeHoweverTheNewsComes(t *testing.T) {
	t.Parallel()
	failed := "failed; callbacks 1"
	for _, c := range []scenario{
		{what: "done at once", kurus: 0, wait: moments, end: completed},
		{what: "needs the code", kurus: 1, acts: acts(givesTheCode), wait: moments, end: "completed; code_wanted settled; callbacks 1"},
		{what: "needs the code, which is wrong", kurus: 1, acts: acts(givesWrongCodes), wait: moments, end: "failed; code_wanted settled; callbacks 1"},
		{what: "pending, then done", kurus: 2, wait: time.Minute, end: completed},
		{what: "no funds, until there are", kurus: 10, acts: acts(recovers), wait: time.Minute, end: completed},
		{what: "rejected by the payee's bank", kurus: 11, wait: time.Minute, end: failed},
		{what: "the name is not the account's", kurus: 12, wait: moments, end: failed},
		{what: "no such recipient", kurus: 13, wait: moments, end: failed},
		{what: "over the limit", kurus: 14, wait: moments, end: failed},
		{what: "done after minutes", kurus: 16, wait: 10 * time.Minute, end: completed},
		{what: "failed after minutes", kurus: 17, wait: 10 * time.Minute, end: failed},
		{what: "done, then returned", kurus: 35, wait: nextDay, end: "completed; returned open; callbacks 1", but: unseen},
		{what: "status 500, never existed", kurus: 40, wait: time.Hour, end: "processing; missing_payout open; callbacks 0"},
		{what: "too many requests, sent again under its key", kurus: 41, wait: 2 * time.Minute, end: completed},
		{what: "timeout, then never existed", kurus: 42, wait: time.Hour, end: "processing; missing_payout open; callbacks 0"},
		{what: "timeout, then done", kurus: 43, wait: 5 * time.Minute, end: completed},
		{what: "failure with status 200, sent again under its key", kurus: 44, wait: 2 * time.Minute, end: completed},
		{what: "a page of HTML, done", kurus: 45, wait: 5 * time.Minute, end: completed},
		{what: "half an answer, done", kurus: 46, wait: 5 * time.Minute, end: completed},
		{what: "maintenance, sent again under its key", kurus: 47, wait: 5 * time.Minute, end: completed},
	} {
		for _, m := range []payment.Method{payment.BankWithdrawal, payment.WalletWithdrawal, payment.CryptoWithdrawal} {
			c := c
			c.what = string(m) + " " + c.what
			c.play(t, m, 250)
		}
	}
}

// givesTheCode is staff who give the gateway the second factor that it asks for.
func givesTheCode(p *show) {
	p.pass(10 * time.Second)
	_, err := p.Operations.ConfirmPayout(p.t.Context(), decides(p), bank.Code)
	p.no(err)
}

func givesWrongCodes(p *show) {
	p.pass(10 * time.Second)
	for range 5 {
		_, err := p.Operations.ConfirmPayout(p.t.Context(), decides(p), "000000")
		p.fails(err, fault.GatewayFailed)
	}
	p.pass(time.Minute)
}

func decides(p *show) app.StaffMove {
	move := by(p)
	move.Permission = staff.DecideWithdrawal
	return move
}

// recovers is a gateway that does from now on what it is asked for.
func recovers(p *show) {
	p.pass(time.Minute)
	if got := p.end(); got != "processing; callbacks 0" {
		p.t.Errorf("while it lasts: %s", got)
	}
	p.no(p.bank.SetOutcome(string(p.operations(p.payment)[0].Reference), "00"))
}
