package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

var (
	pastFirstNames = []string{
		"Ayşe", "Mehmet", "Fatma", "Mustafa", "Emine", "Ahmet", "Hatice", "Ali", "Zeynep", "Hüseyin", "Merve", "Hasan", "Büşra", "İbrahim",
		"Seda", "Murat", "Derya", "Ömer", "Gül", "Yusuf", "Şule", "Kemal", "Çiğdem", "Burak",
	}
	pastLastNames = []string{
		"Yılmaz", "Kaya", "Demir", "Çelik", "Şahin", "Yıldız", "Öztürk", "Aydın", "Özdemir", "Arslan", "Doğan", "Kılıç", "Aslan", "Çetin",
		"Kara", "Koç", "Kurt", "Özkan", "Şimşek",
	}
)

// person is a customer of a provider, the same one for a number each time.
func person(n int) owner.Customer {
	return customer(pastFirstNames[n%len(pastFirstNames)]+" "+pastLastNames[n*7%len(pastLastNames)], n)
}

func customer(fullname string, n int) owner.Customer {
	return owner.Customer{
		UserID: fmt.Sprintf("u-%d", 2000+n), Username: strings.ReplaceAll(owner.FoldName(fullname), " ", "."), Fullname: fullname,
	}
}

func split(fullname string) (first, last string) {
	at := strings.LastIndex(fullname, " ")
	return fullname[:at], fullname[at+1:]
}

// pastHours are how many payments of a day begin in each of its hours.
var pastHours = []int{3, 2, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 10, 11, 11, 12, 12, 13, 14, 15, 16, 15, 11, 7}

// moment is when one of the past's payments begins: more of them lately, and in the evening.
func (d *day) moment() time.Time {
	for {
		ago := int(float64(PastDays) * d.random.Float64() * d.random.Float64())
		at := d.now.AddDate(0, 0, -ago).Add(-time.Duration(d.random.Int64N(int64(24 * time.Hour)))).Truncate(time.Second)
		if d.random.IntN(17) < pastHours[at.In(d.zone).Hour()] && at.Before(d.now.Add(-justNow)) &&
			at.After(d.now.AddDate(0, 0, -PastDays).Add(time.Hour)) {
			return at
		}
	}
}

// amounts are round, as people choose them.
var pastAmounts = []int64{100, 150, 200, 250, 300, 400, 500, 500, 600, 750, 800, 1000, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000}

// planWeeks plans the finished payments of the past.
func (d *day) planWeeks() {
	for n := range pastTries {
		at := d.moment()
		site := d.sites[[]int{0, 0, 0, 1, 1, 2, 2}[d.random.IntN(7)]]
		o := one{site: site, who: person(n % 61), amount: lira(pastAmounts[d.random.IntN(len(pastAmounts))])}
		isRecent := at.After(d.now.AddDate(0, 0, -walletDays))
		switch kind := d.random.IntN(100); {
		case isRecent && kind < 25:
			o.method = payment.EIBANDeposit
			d.planAt(at, func() error { return d.pastEIBAN(o, n) })
		case kind < 50:
			o.method = payment.ManualDeposit
			d.planAt(at, func() error { return d.pastDeposit(o, n) })
		case kind < 66:
			o.method, o.iban = payment.ManualWithdrawal, bank.TurkishIBAN("00062", fmt.Sprint(5000+n%61))
			d.planAt(at, func() error { return d.pastWithdrawal(o, n) })
		case kind < 90:
			o.method = payment.CreditCard
			d.planAt(at, func() error { return d.pastCard(o, n) })
		case kind < 96:
			o.method = payment.BankDeposit
			d.planAt(at, func() error { return d.pastBank(o) })
		default:
			o.method, o.iban, o.amount = payment.BankWithdrawal, bank.TurkishIBAN("00062", fmt.Sprint(5000+n%61)), lira(int64(100+n%8*100))
			d.planAt(at, func() error { _, err := d.start(o); return err })
		}
	}
	for site := range 2 { // enough cards of the last days for a verdict on each of the gateways
		for n := range 26 {
			o := one{method: payment.CreditCard, site: d.sites[1-site], who: person(n), amount: lira(pastAmounts[n%len(pastAmounts)])}
			d.plan(time.Duration(n+1)*badHours*time.Hour/28+justNow, func() error { return d.pastCard(o, n) })
		}
	}
	for ago := walletDays * 24; ago > 0; ago-- {
		d.plan(time.Duration(ago)*time.Hour, d.look)
	}
}

// pastDeposit is a deposit by hand: most are approved within minutes.
func (d *day) pastDeposit(o one, n int) error {
	m, err := d.start(o)
	if err != nil {
		return err
	}
	d.after(40*time.Second, m.offer)
	switch end := n % 20; {
	case end < 14:
		d.after(3*time.Minute, m.claimPaid)
		d.after(time.Duration(5+n*7%26)*time.Minute, func() error { return m.approve(staff.Operator) })
	case end < 16:
		d.after(2*time.Minute, m.claimPaid)
		d.after(time.Duration(9+n%20)*time.Minute, func() error {
			return run(d, d.Commands.RejectDeposit, staff.Operator, m.decision("Hesaba para gelmedi"))
		})
	case end < 18:
		d.after(4*time.Minute, func() error { _, err := m.Deposits.Cancel(d.ctx, m.payment); return err })
	default: // the customer goes away, and its time ends
	}
	return nil
}

func (d *day) pastWithdrawal(o one, n int) error {
	m, err := d.start(o)
	if err != nil {
		return err
	}
	wait := time.Duration(4+n*11%35) * time.Minute
	if n%14 == 0 {
		d.after(wait, func() error {
			return run(d, d.Commands.RejectWithdrawal, staff.Operator, m.decision("Bakiye yetersiz"))
		})
		return nil
	}
	d.after(wait, func() error { return m.claim(staff.Operator) })
	d.after(wait+4*time.Minute, func() error {
		if n%23 == 0 {
			return run(d, d.Commands.FailWithdrawal, staff.Operator, m.decision("IBAN kapalı"))
		}
		return m.complete(staff.Operator, fmt.Sprintf("FT%08d", 400+n))
	})
	return nil
}

// pastCard is a card payment. At the second gateway nearly all are declined since a while ago.
func (d *day) pastCard(o one, n int) error {
	m, err := d.start(o)
	if err != nil {
		return err
	}
	d.after(20*time.Second, func() error {
		ref, at, err := m.begin()
		if err != nil {
			return err
		}
		event := bank.Paid
		isBad := at == d.bad && d.now.Sub(d.Time.Now()) < badHours*time.Hour+justNow
		if isBad && n%9 != 0 || !isBad && n%8 == 3 {
			event = bank.Failed
		}
		d.after(time.Duration(15+n%60)*time.Second, func() error { return d.bank.Fire(ref, event) })
		return nil
	})
	return nil
}

// pastBank is a deposit through the gateway's bank: the sandbox's payer pays by itself.
func (d *day) pastBank(o one) error {
	m, err := d.start(o)
	if err != nil {
		return err
	}
	d.after(30*time.Second, func() error {
		_, _, err := m.begin()
		d.after(3*time.Second, nothing)
		return err
	})
	return nil
}

// pastEIBAN is a deposit to a wallet: the bank's line names it, and completes it.
func (d *day) pastEIBAN(o one, n int) error {
	m, err := d.start(o)
	if err != nil {
		return err
	}
	d.after(30*time.Second, m.offer)
	if n%9 == 4 {
		return nil // nobody pays
	}
	d.after(2*time.Minute, m.claimPaid)
	d.after(4*time.Minute, func() error {
		return m.transfer(m.payment.Customer.Fullname, m.payment.TrackingCode, m.payment.Amount)
	})
	return nil
}

// planDay plans what is open when the demo begins: something of everything that staff work on.
func (d *day) planDay() {
	acme, games, globex := d.sites[0], d.sites[1], d.sites[2]
	deposit := func(ago time.Duration, site owner.Site, who owner.Customer, amount int64) {
		d.plan(ago, func() error {
			m, err := d.start(one{method: payment.ManualDeposit, site: site, who: who, amount: lira(amount)})
			if err != nil {
				return err
			}
			d.after(30*time.Second, m.offer)
			d.after(90*time.Second, m.claimPaid)
			return nil
		})
	}
	deposit(d.sinceYesterday(), acme, customer("Elif Karaca", 1), 250)
	deposit(3*time.Hour, games, customer("Cem Aksoy", 2), 1_750)
	deposit(70*time.Minute, globex, customer("Sibel Tunç", 3), 600)
	deposit(32*time.Minute, acme, customer("Nazlı Eren", 4), 4_000)
	deposit(9*time.Minute, acme, customer("Onur Bulut", 5), 300)

	withdrawal := func(ago time.Duration, site owner.Site, who owner.Customer, amount int64, then func(m *made) error) {
		d.plan(ago, func() error {
			m, err := d.start(one{
				method: payment.ManualWithdrawal, site: site, who: who, amount: lira(amount), iban: bank.TurkishIBAN("00062", fmt.Sprint(7000+amount)),
			})
			if err != nil || then == nil {
				return err
			}
			d.after(time.Minute, func() error { return then(m) })
			return nil
		})
	}
	withdrawal(95*time.Minute, acme, customer("Tolga Er", 6), 1_250, nil)
	withdrawal(55*time.Minute, games, customer("Pınar Uçar", 7), 3_400, nil)
	withdrawal(21*time.Minute, globex, customer("Volkan Ay", 8), 900, nil)
	withdrawal(4*time.Minute, acme, customer("Irmak Sönmez", 9), 2_100, func(m *made) error { return m.claim(staff.Operator) })
	withdrawal(80*time.Minute, acme, customer("Levent Güneş", 10), 12_500, func(m *made) error { return m.claim(staff.Operator) })

	d.planLines(acme, globex)
	d.planGateway(acme, globex)
	d.planCorrection(acme)
}

// sinceYesterday is how long ago it was in the afternoon of yesterday, by the installation's days.
func (d *day) sinceYesterday() time.Duration {
	y, m, day := d.now.In(d.zone).Date()
	return d.now.Sub(time.Date(y, m, day-1, 15, 20, 0, 0, d.zone)).Truncate(time.Second)
}

// planLines plans what the bank has written and nobody has matched, and what it has taken and does not list.
func (d *day) planLines(acme, globex owner.Site) {
	line := func(ago time.Duration, site owner.Site, who owner.Customer, amount, arrives int64, sender, text string) {
		d.plan(ago, func() error {
			m, err := d.start(one{method: payment.EIBANDeposit, site: site, who: who, amount: lira(amount)})
			if err != nil {
				return err
			}
			d.after(20*time.Second, m.offer)
			d.after(time.Minute, m.claimPaid)
			d.after(3*time.Minute, func() error { return m.transfer(sender, text, lira(arrives)) })
			return nil
		})
	}
	line(26*time.Minute, acme, customer("Kerem Yavuz", 11), 800, 800, "Hakan Yavuz", "havale")
	line(44*time.Minute, globex, customer("Defne Ateş", 12), 450, 450, "D. ATES", "odeme")
	line(2*time.Hour, acme, customer("Barış Özer", 13), 1_500, 1_450, "Barış Özer Ticaret Ltd.", "fatura")
	d.plan(46*time.Hour, func() error { // the bank's fee, of which it lists no line; its day is over, whatever the hour
		fee, err := d.bank.Book("acc-2", bank.Line{
			Direction: bank.Outgoing, Amount: bank.Money{Value: money.New(35_00, money.TRY).Decimal(), Currency: money.TRY.Code}, Text: "ucret",
			Party: bank.Party{Name: demoBankName}, BookedAt: d.Time.Now(),
		})
		if err == nil {
			d.bank.Hide(fee.ID, true)
		}
		return err
	})
}

// planGateway plans what gateways have left to decide: money that came late and too much, and payouts that wait.
func (d *day) planGateway(acme, globex owner.Site) {
	for _, g := range []struct {
		ago    time.Duration
		site   owner.Site
		who    owner.Customer
		amount money.Amount
	}{
		{5 * time.Hour, acme, customer("Sinem Polat", 14), money.New(350_20, money.TRY)},    // paid when its time is over
		{4 * time.Hour, globex, customer("Emre Taşkın", 15), money.New(400_27, money.TRY)},  // half as much again arrives
		{150 * time.Minute, acme, customer("Yeliz Ok", 16), money.New(1_000_26, money.TRY)}, // half arrives
	} {
		d.plan(g.ago, func() error {
			return d.pastBank(one{method: payment.BankDeposit, site: g.site, who: g.who, amount: g.amount})
		})
	}
	for ago := 10; ago < 300; ago += 10 {
		d.plan(time.Duration(ago)*time.Minute, d.look)
	}
	for i, amount := range []int64{4_200, 1_750} {
		d.plan(time.Duration(170-i*130)*time.Minute, func() error {
			_, err := d.start(one{
				method: payment.BankWithdrawal, site: acme, who: customer([]string{"Gökhan Işık", "Melis Deniz"}[i], 17+i), amount: lira(amount),
				iban: bank.TurkishIBAN("00062", fmt.Sprint(8000+amount)),
			})
			return err
		})
	}
}

// planCorrection plans a credit that somebody wants to put right: a second person has to agree.
func (d *day) planCorrection(acme owner.Site) {
	d.plan(26*time.Hour, func() error {
		m, err := d.start(one{method: payment.ManualDeposit, site: acme, who: customer("Aslı Toprak", 19), amount: lira(540)})
		if err != nil {
			return err
		}
		d.after(30*time.Second, m.offer)
		d.after(time.Minute, m.claimPaid)
		d.after(6*time.Minute, func() error { return m.approve(staff.Operator) })
		d.planAt(d.now.Add(-2*time.Hour), func() error {
			return run(d, d.Commands.CorrectCredit, staff.Finance, command.CorrectCreditInput{
				Decision: m.decision("Banka 450 TRY gösteriyor"), Amount: lira(450), ExpectedAmount: lira(540),
			})
		})
		return nil
	})
}
