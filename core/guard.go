package core

import (
	"slices"
	"strconv"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Before is what a changeset's rows are now: those that it saves, by id. New rows are not in it.
type Before struct {
	Payments        map[ID]Payment
	Operations      map[ID]Operation
	Providers       map[int64]Provider
	Sites           map[int64]Site
	Dealers         map[int64]Dealer
	SiteTokens      map[int64]SiteToken
	Accounts        map[int64]Account
	Wallets         map[int64]Wallet
	GatewayAccounts map[int64]GatewayAccount
	Staff           map[int64]Staff
	Factors         map[int64]Factors // by staff member
}

// StaffID is the id of the staff member who makes the changeset, as actors have it; empty: none is named.
func (c Changeset) StaffID() string {
	for _, e := range c.Audit {
		if e.By.Kind == ByStaff {
			return e.By.ID
		}
	}
	for _, m := range c.Moves {
		if m.By.Kind == ByStaff {
			return m.By.ID
		}
	}
	for _, x := range c.Credits {
		if x.By.Kind == ByStaff {
			return x.By.ID
		}
	}
	return ""
}

// IsByStaff reports whether a staff member makes the changeset: its audit rows, moves and resolutions say so. One in which
// nobody is named is whoever's the request is.
func (c Changeset) IsByStaff(isStaffRequest bool) bool {
	isNamed := false
	for _, e := range c.Audit {
		isNamed = true
		if e.By.Kind == ByStaff {
			return true
		}
	}
	for _, m := range c.Moves {
		isNamed = true
		if m.By.Kind == ByStaff {
			return true
		}
	}
	for _, x := range c.Credits {
		isNamed = true
		if x.By.Kind == ByStaff {
			return true
		}
	}
	return isStaffRequest && !isNamed
}

// IsGuardable reports whether the changeset has anything at all that a guard may be about. It is cheap: every commit asks.
func (c Changeset) IsGuardable() bool {
	return len(c.Payments)+len(c.Credits)+len(c.Operations)+len(c.Discrepancies)+len(c.Providers)+len(c.Sites)+len(c.Dealers)+
		len(c.SiteTokens)+len(c.Accounts)+len(c.Wallets)+len(c.GatewayAccounts)+len(c.RouteRules)+len(c.ApprovalRules)+
		len(c.Staff)+len(c.Factors)+len(c.Passkeys)+len(c.Invitations) > 0 || c.hasAdjustment()
}

// GuardsOf says what in a staff member's changeset a second person may have to approve: by what it changes, and not by
// who offers it under which name.
func GuardsOf(b Before, c Changeset) []Guard {
	g := guards{b: b, c: c}
	for _, p := range c.Payments {
		g.payment(p)
		g.claim(p)
	}
	for _, x := range c.Credits {
		g.credit(x)
	}
	for _, o := range c.Operations {
		g.operation(o)
	}
	for _, d := range c.Discrepancies {
		g.discrepancy(d)
	}
	g.owners()
	for _, a := range c.Accounts {
		g.account(a)
	}
	for _, w := range c.Wallets {
		g.wallet(w)
	}
	for _, a := range c.GatewayAccounts {
		g.gateway(a)
	}
	for _, r := range c.RouteRules {
		g.add(GuardRouting, named("route_rule", r.ID, r.Version > 1, r.Name), 0)
	}
	g.members()
	for _, r := range c.ApprovalRules {
		g.add(GuardRules, r.Ref(), 0)
	}
	for _, e := range c.Entries {
		g.adjustment(e)
	}
	return g.found
}

type guards struct {
	b     Before
	c     Changeset
	found []Guard
}

// add keeps a guard once.
func (g *guards) add(action GuardedAction, subject string, dealer int64) {
	g.money(action, subject, dealer, gateway.Money{})
}

func (g *guards) money(action GuardedAction, subject string, dealer int64, amount gateway.Money) {
	g.keep(Guard{Action: action, Subject: subject, DealerID: dealer, Amount: amount})
}

func (g *guards) keep(guard Guard) {
	if !slices.Contains(g.found, guard) {
		g.found = append(g.found, guard)
	}
}

// isPaid reports whether a payment counts as paid.
func (p Payment) isPaid() bool { return p.Status == Completed || p.Status == Success }

// paysOut reports whether the payment's money leaves.
func (p Payment) paysOut() bool {
	switch p.Method.Kind() {
	case Withdrawal, Payout, Transfer:
		return true
	default:
		return false
	}
}

// payment guards those that a staff member completes. What the gateway reported about a payment is a fact, whoever asked.
func (g *guards) payment(p Payment) {
	before := g.b.Payments[p.ID]
	if p.Version == 1 || !p.isPaid() || before.isPaid() || !g.isMovedByStaff(p.ID) {
		return
	}
	subject, amount := "payment/"+p.TrackingCode, gateway.Lira(p.Amount)
	isOver := !before.ExpiresAt.IsZero() && before.Status != Processing && !p.UpdatedAt.Before(before.ExpiresAt)
	if before.Status.IsFinal() || isOver {
		g.money(GuardCompletion, subject, p.DealerID, amount)
	}
	if p.paysOut() && !before.isCleared() {
		g.keep(Guard{
			Action: GuardWithdrawal, Subject: subject, DealerID: p.DealerID, Amount: amount,
			IsCounted: p.Method.Kind() == Withdrawal, // when it was claimed
		})
	}
}

// claim guards withdrawals that a staff member is given to pay: whoever has claimed one may send the money. What a request
// holds is nobody's to pay, and a claim that such a request gives back was judged when it was made.
func (g *guards) claim(p Payment) {
	before := g.b.Payments[p.ID]
	was := before.Claim
	if was.IsAwaiting() {
		was = was.Prior()
	}
	isNew := p.Claim.StaffID != 0 && p.Claim != before.Claim && p.Claim != was && !p.Claim.IsAwaiting()
	if p.Method.Kind() != Withdrawal || p.Status.IsFinal() || !isNew || before.isCleared() {
		return
	}
	g.keep(Guard{
		Action: GuardWithdrawal, Subject: "payment/" + p.TrackingCode, DealerID: p.DealerID, Amount: gateway.Lira(p.Amount),
		IsCounted: was.StaffID == p.Claim.StaffID,
	})
}

// credit guards what a staff member credits: by their word, with a bank line that they chose, and by a correction.
func (g *guards) credit(c Credit) {
	isChosen := c.Source == CreditOfLine && c.By.Kind == ByStaff
	isWord := c.Source == CreditOfStaff || c.Number > 1 || c.NeedsSecond != ""
	if c.Version != 1 || !isWord && !isChosen {
		return
	}
	guard := Guard{
		Action: GuardCredit, Subject: "payment/" + c.TrackingCode, DealerID: c.DealerID, Amount: gateway.Lira(c.Amount),
		Why: c.NeedsSecond, IsAlways: c.NeedsSecond != "" || c.AwaitsMoney || c.Number > 1,
	}
	if c.Number > 1 {
		guard.Action = GuardCorrection
	} else if before, isOld := g.b.Payments[c.PaymentID]; isOld && !before.Amount.Equal(c.Amount) {
		guard.Differs = gateway.Lira(difference(before.Amount, c.Amount))
	}
	g.keep(guard)
}

// difference is by how much two amounts differ, whichever is more.
func difference(a, b money.Amount) money.Amount {
	return money.New(max(a.Minor(), b.Minor())-min(a.Minor(), b.Minor()), b.Currency())
}

// isMovedByStaff reports whether a staff member made the payment's moves; of a payment without any the changeset's maker is.
func (g *guards) isMovedByStaff(id ID) bool {
	isMoved := false
	for _, m := range g.c.Moves {
		if m.PaymentID == id {
			isMoved = true
			if m.By.Kind == ByStaff {
				return true
			}
		}
	}
	return !isMoved
}

// operation guards refunds that begin, and payouts that are let go: those that waited for staff, and those whose second
// factor staff are about to give. What was called already has its outcome recorded, and is not held up.
func (g *guards) operation(o Operation) {
	before, isOld := g.b.Operations[o.ID]
	subject, dealer := "payment/"+o.TrackingCode, g.dealerOf(o.PaymentID)
	switch {
	case o.Kind == RefundOperation && !isOld:
		g.money(GuardRefund, subject, dealer, o.Amount)
	case o.Kind != PayoutOperation || !isOld:
	case o.Phase == Planned && before.NextAt.IsZero() && !o.NextAt.IsZero():
		g.money(GuardWithdrawal, subject, dealer, o.Amount)
	case IsConfirming(before, o) && len(g.c.GatewayCalls) == 0:
		g.money(GuardWithdrawal, subject, dealer, o.Amount)
	}
}

// IsConfirming reports whether an operation is saved as a payout whose second factor is about to be given.
func IsConfirming(before, o Operation) bool {
	wanted := string(gateway.PayoutNeedsApproval)
	return before.State == wanted && o.State == wanted && o.Phase == before.Phase
}

func (g *guards) dealerOf(id ID) int64 {
	for _, p := range g.c.Payments {
		if p.ID == id {
			return p.DealerID
		}
	}
	return g.b.Payments[id].DealerID
}

// discrepancy guards money that does not fit and is taken for the payment: by staff only is any accepted.
func (g *guards) discrepancy(d Discrepancy) {
	if d.State != DiscrepancyAccepted {
		return
	}
	amount := d.Seen
	for _, p := range g.c.Payments {
		if p.ID == d.PaymentID {
			amount = gateway.Lira(p.Amount)
		}
	}
	g.money(GuardCompletion, "payment/"+d.TrackingCode, d.DealerID, amount)
}

func (g *guards) owners() {
	for _, p := range g.c.Providers {
		before, isOld := g.b.Providers[p.ID]
		subject := named("provider", p.ID, isOld, p.Name)
		g.called(subject, before.URLs != p.URLs || !slices.Equal(before.IPWhitelist, p.IPWhitelist))
		g.keyed(subject, before.APIKey != p.APIKey || before.SecretKey != p.SecretKey ||
			before.VerificationKey != p.VerificationKey || before.WebhookSecret != p.WebhookSecret)
		g.routed(subject, p.IsActive && !before.IsActive || p.IsCreditCardEnabled && !before.IsCreditCardEnabled)
	}
	for _, s := range g.c.Sites {
		before, isOld := g.b.Sites[s.ID]
		subject := named("site", s.ID, isOld, s.Name)
		g.called(subject, before.URLs != s.URLs)
		g.keyed(subject, before.CredentialFingerprint != s.CredentialFingerprint)
		g.routed(subject, before.DealerID != s.DealerID || s.IsActive && !before.IsActive)
	}
	for _, d := range g.c.Dealers {
		before, isOld := g.b.Dealers[d.ID]
		subject := named("dealer", d.ID, isOld, d.Name)
		g.called(subject, before.URLs != d.URLs || !slices.Equal(before.IPWhitelist, d.IPWhitelist))
		g.keyed(subject, before.APIKey != d.APIKey || before.SecretKey != d.SecretKey)
		g.routed(subject, before.Name != d.Name || d.IsActive && !before.IsActive || before.takesLess(d))
		if isOld && !before.HandCreditMax.Equal(d.HandCreditMax) {
			g.add(GuardLimits, subject, d.ID)
		}
	}
	for _, t := range g.c.SiteTokens {
		before, isOld := g.b.SiteTokens[t.ID]
		g.keyed(named("site_token", t.ID, isOld, t.Name), before.Token != t.Token || before.SecretKey != t.SecretKey ||
			t.IsActive && !before.IsActive)
	}
}

// takesLess reports whether another state of the dealer takes payments by a method that this one does not.
func (d Dealer) takesLess(than Dealer) bool {
	return than.IsCreditCardEnabled && !d.IsCreditCardEnabled || than.IsEIBANEnabled && !d.IsEIBANEnabled ||
		than.IsManualIBANEnabled && !d.IsManualIBANEnabled
}

// named is a row by id, and a new one by name: its id is another one when the request runs again.
func named(kind string, id int64, isOld bool, name string) string {
	if isOld {
		return kind + "/" + strconv.FormatInt(id, 10)
	}
	return kind + "/new " + name
}

func (g *guards) called(subject string, isChanged bool) {
	if isChanged {
		g.add(GuardCallbackURL, subject, 0)
	}
}

func (g *guards) keyed(subject string, isChanged bool) {
	if isChanged {
		g.add(GuardKeys, subject, 0)
	}
}

func (g *guards) routed(subject string, isChanged bool) {
	if isChanged {
		g.add(GuardRouting, subject, 0)
	}
}

// account guards where customers pay to, and for how much. Switching an account off is never held up.
func (g *guards) account(a Account) {
	before, isOld := g.b.Accounts[a.ID]
	subject := named("account", a.ID, isOld, a.IBAN)
	isElsewhere := before.IBAN != a.IBAN || before.Holder != a.Holder || before.BankName != a.BankName ||
		before.DealerID != a.DealerID || before.Kind != a.Kind
	if isElsewhere || a.IsActive && !before.IsActive {
		g.add(GuardIBAN, subject, a.DealerID)
	}
	isLimited := !before.Min.Equal(a.Min) || !before.Max.Equal(a.Max) || !before.DailyLimit.Equal(a.DailyLimit) ||
		before.DailyCount != a.DailyCount
	if isOld && isLimited {
		g.add(GuardLimits, subject, a.DealerID)
	}
}

func (g *guards) wallet(w Wallet) {
	before, isOld := g.b.Wallets[w.ID]
	isElsewhere := before.IBAN != w.IBAN || before.Holder != w.Holder || before.BankName != w.BankName ||
		before.BankAccount != w.BankAccount || before.GatewayID != w.GatewayID || before.AccountID != w.AccountID ||
		before.DealerID != w.DealerID
	if isElsewhere || w.IsActive && !before.IsActive {
		g.add(GuardIBAN, named("wallet", w.ID, isOld, w.IBAN), w.DealerID)
	}
}

func (g *guards) gateway(a GatewayAccount) {
	before, isOld := g.b.GatewayAccounts[a.ID]
	subject := named("gateway", a.ID, isOld, a.Code)
	g.keyed(subject, before.Config != a.Config || before.Plugin != a.Plugin || before.Environment != a.Environment ||
		isOld && before.HookToken != a.HookToken)
	isChosenOtherwise := isOld && a.IsEnabled && (before.Priority != a.Priority || before.Weight != a.Weight)
	g.routed(subject, a.IsEnabled && !before.IsEnabled || isChosenOtherwise)
	isLimited := !before.Min.Equal(a.Min) || !before.Max.Equal(a.Max) || !before.ApprovalFrom.Equal(a.ApprovalFrom)
	if isOld && isLimited {
		g.add(GuardLimits, subject, 0)
	}
}
