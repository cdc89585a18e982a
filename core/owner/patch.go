package owner

import (
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

// URLsPatch changes callback URLs; nil fields stay as they are, an empty text takes the URL away.
type URLsPatch struct {
	CallbackURL           *string
	DepositCallbackURL    *string
	WithdrawalCallbackURL *string
	CreditCardCallbackURL *string
}

func (c URLsPatch) apply(form *core.Form, urls *CallbackURLs) {
	form.URL("callbackUrl", c.CallbackURL, &urls.Deposit)
	form.URL("depositCallbackUrl", c.DepositCallbackURL, &urls.EIBANDeposit)
	form.URL("withdrawalCallbackUrl", c.WithdrawalCallbackURL, &urls.Withdrawal)
	form.URL("creditCardCallbackUrl", c.CreditCardCallbackURL, &urls.CreditCard)
}

// AddressState is what an audit row says of where a provider's callbacks go and what acknowledges them, as JSON.
func (p Provider) AddressState() string {
	return auditJSON(map[string]any{"urls": p.URLs, "callbackAcknowledgement": p.CallbackAcknowledgement.String()})
}

// AddressState is what an audit row says of a site's addresses alone, as JSON.
func (s Site) AddressState() string {
	return auditJSON(map[string]any{"urls": s.URLs, "returnOrigins": s.ReturnOrigins, "homeUrl": s.HomeURL})
}

// SitePatch creates or changes a site; nil fields stay as they are.
type SitePatch struct {
	Name         *string
	DealerID     *int64
	IsActive     *bool
	IsIBANStrict *bool
	ReturnsPatch
	URLsPatch
}

// Apply returns the site with the patch's settings, ready to be saved; form has what the caller found besides. Fault:
// Invalid, with the failed fields by their GraphQL names.
func (c SitePatch) Apply(s Site, at time.Time, form core.Form) (Site, error) {
	form.Rename("name", c.Name, &s.Name)
	Set(c.DealerID, &s.DealerID)
	Set(c.IsActive, &s.IsActive)
	Set(c.IsIBANStrict, &s.IsIBANStrict)
	c.URLsPatch.apply(&form, &s.URLs)
	c.ReturnsPatch.apply(&form, &s.Returns)
	s.Version++
	s.UpdatedAt = at
	return s, form.Err("core.SitePatch.Apply")
}

// Ref names the site in audit rows.
func (s Site) Ref() string { return fmt.Sprintf("site/%d", s.ID) }

// IsIn reports whether the site is within a scope: to a dealer none is.
func (s Site) IsIn(scope core.Scope) bool { return scope.CoversProvider(s.ProviderID) }

// AuditState is what an audit row says of the site, without keys, as JSON.
func (s Site) AuditState() string {
	return auditJSON(map[string]any{
		"name": s.Name, "providerId": s.ProviderID, "dealerId": s.DealerID, "isActive": s.IsActive,
		"isIbanStrict": s.IsIBANStrict, "urls": s.URLs, "returnOrigins": s.ReturnOrigins, "homeUrl": s.HomeURL,
	})
}

// DealerPatch creates or changes a dealer; nil fields stay as they are.
type DealerPatch struct {
	Name                  *string
	IsActive              *bool
	IsCreditCardEnabled   *bool
	IsEIBANEnabled        *bool
	IsManualIBANEnabled   *bool
	CreditCardCallbackURL *string
	CallbackURL           *string       // of its own deposits
	WithdrawalCallbackURL *string       // of its own withdrawals and transfers
	HandCreditMax         *money.Amount // 0: no cap
	SignatureMode         *SignatureMode
	IsIdempotencyRequired *bool
	IPWhitelist           *[]string // addresses and CIDR blocks, IPv4 and IPv6
	ReturnsPatch
	Brand *BrandPatch // without its HomeURL, which ReturnsPatch has

	CallbackAcknowledgement *Acknowledgement
}

// Apply returns the dealer with the patch's settings, ready to be saved. Fault: Invalid, with the failed fields by their
// GraphQL names.
func (c DealerPatch) Apply(d Dealer, at time.Time) (Dealer, error) {
	var form core.Form
	form.Rename("name", c.Name, &d.Name)
	Set(c.IsActive, &d.IsActive)
	Set(c.IsCreditCardEnabled, &d.IsCreditCardEnabled)
	Set(c.IsEIBANEnabled, &d.IsEIBANEnabled)
	Set(c.IsManualIBANEnabled, &d.IsManualIBANEnabled)
	form.URL("creditCardCallbackUrl", c.CreditCardCallbackURL, &d.URLs.CreditCard)
	form.URL("callbackUrl", c.CallbackURL, &d.URLs.Deposit)
	form.URL("withdrawalCallbackUrl", c.WithdrawalCallbackURL, &d.URLs.Withdrawal)
	c.ReturnsPatch.apply(&form, &d.Returns)
	if c.Brand != nil {
		c.Brand.apply(&form, &d.Brand, true) // the house alone edits dealers
	}
	Set(c.SignatureMode, &d.SignatureMode)
	Set(c.IsIdempotencyRequired, &d.IsIdempotencyRequired)
	Set(c.CallbackAcknowledgement, &d.CallbackAcknowledgement)
	if c.IPWhitelist != nil {
		d.IPWhitelist = form.Whitelist("ipWhitelist", *c.IPWhitelist)
	}
	if Set(c.HandCreditMax, &d.HandCreditMax); d.HandCreditMax.Minor() < 0 {
		form.Fail("handCreditMax", "field.min", money.New(0, money.TRY).String())
	}
	d.Version++
	d.UpdatedAt = at
	return d, form.Err("core.DealerPatch.Apply")
}

// Ref names the dealer in audit rows.
func (d Dealer) Ref() string { return fmt.Sprintf("dealer/%d", d.ID) }

// IsIn reports whether the dealer is within a scope.
func (d Dealer) IsIn(s core.Scope) bool { return s.Covers(d.ID) }

// AuditState is what an audit row says of the dealer, without keys, as JSON.
func (d Dealer) AuditState() string {
	return auditJSON(map[string]any{
		"name": d.Name, "isActive": d.IsActive, "isCreditCardEnabled": d.IsCreditCardEnabled,
		"isEibanEnabled": d.IsEIBANEnabled, "isManualIbanEnabled": d.IsManualIBANEnabled,
		"creditCardCallbackUrl": d.URLs.CreditCard, "callbackUrl": d.URLs.Deposit, "withdrawalCallbackUrl": d.URLs.Withdrawal, "ipWhitelist": d.IPWhitelist,
		"handCreditMax": d.HandCreditMax.String(), "signatureMode": d.SignatureMode.String(),
		"isIdempotencyRequired": d.IsIdempotencyRequired, "returnOrigins": d.ReturnOrigins, "homeUrl": d.HomeURL,
		"callbackAcknowledgement": d.CallbackAcknowledgement.String(), "brand": d.Brand.state(),
	})
}

// SiteTokenPatch creates or changes a site token; nil fields stay as they are.
type SiteTokenPatch struct {
	Name          *string
	IsActive      *bool
	SignatureMode *SignatureMode
}

// Apply returns the site token with the patch's settings, ready to be saved; form has what the caller found besides. Fault:
// Invalid.
func (c SiteTokenPatch) Apply(t SiteToken, at time.Time, form core.Form) (SiteToken, error) {
	form.Rename("name", c.Name, &t.Name)
	Set(c.IsActive, &t.IsActive)
	Set(c.SignatureMode, &t.SignatureMode)
	t.Version++
	t.UpdatedAt = at
	return t, form.Err("core.SiteTokenPatch.Apply")
}

// Ref names the site token in audit rows.
func (t SiteToken) Ref() string { return fmt.Sprintf("site_token/%d", t.ID) }

// IsIn reports whether the site token is within a scope.
func (t SiteToken) IsIn(s core.Scope) bool { return s.Covers(t.DealerID) }

// AuditState is what an audit row says of the site token, without keys, as JSON.
func (t SiteToken) AuditState() string {
	return auditJSON(map[string]any{
		"name": t.Name, "dealerId": t.DealerID, "isActive": t.IsActive, "signatureMode": t.SignatureMode.String(),
	})
}

// AccountPatch creates or changes an IBAN account; nil fields stay as they are. The IBAN of an account never changes:
// payments were offered it.
type AccountPatch struct {
	BankName   *string
	Holder     *string
	IsActive   *bool
	Min, Max   *money.Amount
	DailyLimit *money.Amount // 0: no limit
	DailyCount *int          // 0: no limit
}

// maxDailyCount bounds the number of a day's offers.
const maxDailyCount = 1_000_000

// Apply returns the account with the patch's settings, ready to be saved; form has what the caller found besides. Fault:
// Invalid, with the failed fields by their GraphQL names.
func (c AccountPatch) Apply(a Account, at time.Time, form core.Form) (Account, error) {
	form.Rename("bankName", c.BankName, &a.BankName)
	form.Rename("holder", c.Holder, &a.Holder)
	Set(c.IsActive, &a.IsActive)
	Set(c.Min, &a.Min)
	Set(c.Max, &a.Max)
	Set(c.DailyLimit, &a.DailyLimit)
	Set(c.DailyCount, &a.DailyCount)
	if least := core.MinAmount(money.TRY); a.Min.Less(least) || a.Min.Currency() != money.TRY {
		form.Fail("min", "field.min", least.String())
	}
	if a.Max.Less(a.Min) || a.Max.Currency() != money.TRY {
		form.Fail("max", "field.min", a.Min.String())
	}
	if a.DailyLimit.Minor() < 0 || !a.DailyLimit.IsZero() && a.DailyLimit.Less(a.Min) {
		form.Fail("dailyLimit", "field.min", a.Min.String())
	}
	if a.DailyCount < 0 || a.DailyCount > maxDailyCount {
		form.Fail("dailyCount", "field.between", 0, maxDailyCount)
	}
	a.Version++
	a.UpdatedAt = at
	return a, form.Err("core.AccountPatch.Apply")
}

// SwitchedBy remembers whether it was the house that switched the account off.
func (a Account) SwitchedBy(isHouse bool, before Account) Account {
	switch {
	case a.IsActive:
		a.IsHeld = false
	case before.IsActive || isHouse:
		a.IsHeld = isHouse
	}
	return a
}

// NewAccount is an IBAN account to be made for a dealer.
type NewAccount struct {
	DealerID int64
	Kind     AccountKind
	IBAN     string
	AccountPatch
}

// Make returns the new account, which is active. Of the dealer's others the IBANs are compared: the
// limits of one are kept once. Fault: Invalid, with the failed fields by their GraphQL names.
func (n NewAccount) Make(others []DailyUsage, at time.Time, form core.Form) (Account, error) {
	if n.Kind != ManualAccount && n.Kind != EIBANAccount {
		form.Fail("kind", "field.choice", "manual, eiban")
	}
	a := Account{DealerID: n.DealerID, Kind: n.Kind, IsActive: true, DailyLimit: money.New(0, money.TRY), CreatedAt: at}
	a.IBAN = form.IBAN("iban", core.Input{Kind: core.TextInput, Text: n.IBAN}, true)
	isTaken := func(other DailyUsage) bool { return iban.Normalize(other.IBAN) == a.IBAN }
	if a.IBAN != "" && slices.ContainsFunc(others, isTaken) {
		form.Fail("iban", "field.taken")
	}
	return n.Apply(a, at, form)
}

// Ref names the account in audit rows.
func (a Account) Ref() string { return fmt.Sprintf("account/%d", a.ID) }

// IsIn reports whether the account is within a scope.
func (a Account) IsIn(s core.Scope) bool { return s.Covers(a.DealerID) }

// AuditState is what an audit row says of the account, as JSON.
func (a Account) AuditState() string {
	return auditJSON(map[string]any{
		"dealerId": a.DealerID, "kind": a.Kind, "bankName": a.BankName, "holder": a.Holder, "iban": a.IBAN,
		"isActive": a.IsActive, "min": a.Min.String(), "max": a.Max.String(), "dailyLimit": a.DailyLimit.String(),
		"dailyCount": a.DailyCount,
	})
}

// AmountLeft is what is left of the day's limit; not ok: there is none.
func (l DailyUsage) AmountLeft() (left money.Amount, ok bool) {
	if l.DailyLimit.IsZero() {
		return left, false
	}
	return money.New(max(l.DailyLimit.Minor()-l.Used.Minor(), 0), l.DailyLimit.Currency()), true
}

// CountLeft is how many more offers the day allows; not ok: there is no limit.
func (l DailyUsage) CountLeft() (left int, ok bool) {
	if l.DailyCount == 0 {
		return 0, false
	}
	return max(l.DailyCount-l.Count, 0), true
}
