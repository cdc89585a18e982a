package paypage_test

import (
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/money"
)

func TestShots(t *testing.T) {
	os.MkdirAll("/tmp/shots", 0o755)
	s := newStage(t)
	ctx := t.Context()
	type shot struct{ name, query string; p core.Payment }
	var shots []shot
	add := func(name, query string, p core.Payment) { shots = append(shots, shot{name, query, p}) }
	amount := s.deposit()
	add("1-amount", "", amount)
	add("1-amount-problem", "step=amount&amount=1,250&problem=ambiguous", amount)
	add("1-amount-noacc", "step=amount&amount=250000&problem=no_account", amount)
	pay := s.StartDeposit(t, core.ManualDeposit, money.New(125050, money.TRY))
	s.Deposits.Continue(ctx, pay.Token, pay.Amount)
	add("2-pay", "", pay)
	add("2-pay-notice", "notice=changed", pay)
	add("2-change", "step=amount", pay)
	chk := s.deposit()
	s.Deposits.Continue(ctx, chk.Token, chk.Amount)
	s.Deposits.ClaimPaid(ctx, chk.Token)
	add("3-checking", "", chk)
	done := s.deposit()
	s.Deposits.Continue(ctx, done.Token, done.Amount)
	s.Deposits.Approve(ctx, apptest.By(s.Operator, done, ""), lira(300))
	add("4-completed", "", done)
	add("4-completed-stale", "notice=stale", done)
	can := s.deposit()
	s.Deposits.Cancel(ctx, can.Token)
	add("5-canceled", "", can)
	exp := s.deposit()
	add("7-missing", "", core.Payment{Token: "NOPE"})
	_ = exp
	run := func(list []shot) {
		for _, l := range []string{"tr", "en"} {
			for _, d := range []struct{ n string; d device }{{"phone", phone}, {"phonedark", device{390, 844, true, false}}, {"desk", desktop}, {"deskdark", device{1280, 900, true, false}}} {
				var b *tab
				for _, x := range list {
					if b == nil {
						b = s.open(x.p, d.d)
					}
					b.visit(s.server.URL + "/pay/" + x.p.Token + "?lang=" + l + "&" + x.query)
					img := must(chromedp.Run(b.ctx, chromedp.FullScreenshot(100)))(t)
					os.WriteFile("/tmp/shots/"+x.name+"-"+l+"-"+d.n+".png", img, 0o644)
				}
			}
		}
	}
	run(shots)
	s.Clock.Advance(31 * time.Minute)
	s.Sweep.ExpireDue(ctx)
	run([]shot{{"3-late", "", chk}, {"6-expired", "", exp}})
}
