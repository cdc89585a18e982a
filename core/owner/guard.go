package owner

import (
	"slices"

	"github.com/vezne/vezne/core"
)

// Beside implements Guarded.
func (a GatewayAccount) Beside() []core.Identity { return core.Replaced(a) }

// Guards implements Guarded: keys and settings, limits, and which gateway payments go to.
func (a GatewayAccount) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, a)
	subject := core.GuardSubject("gateway", a.ID, isOld, a.Code)
	isKeyed := before.Config != a.Config || before.Plugin != a.Plugin || before.Environment != a.Environment ||
		isOld && before.HookToken != a.HookToken
	isChosenOtherwise := isOld && a.IsEnabled && (before.Priority != a.Priority || before.Weight != a.Weight)
	isLimited := !before.Min.Equal(a.Min) || !before.Max.Equal(a.Max) || !before.ApprovalFrom.Equal(a.ApprovalFrom)
	guards := core.GuardIf(isKeyed, core.GuardKeys, subject, 0)
	guards = append(guards, core.GuardIf(a.IsEnabled && !before.IsEnabled || isChosenOtherwise, core.GuardRouting, subject, 0)...)
	return append(guards, core.GuardIf(isOld && isLimited, core.GuardLimits, subject, 0)...)
}

// guardsOfOwner are of what all owners have: where callbacks go and what acknowledges them, where customers are led back to and from
// where the API may be called; keys; and whether payments are taken.
func guardsOfOwner(subject string, isCalledElsewhere, isKeyed, isRouted bool) []core.Guard {
	guards := core.GuardIf(isCalledElsewhere, core.GuardCallbackURL, subject, 0)
	guards = append(guards, core.GuardIf(isKeyed, core.GuardKeys, subject, 0)...)
	return append(guards, core.GuardIf(isRouted, core.GuardRouting, subject, 0)...)
}

// Beside implements Guarded.
func (p Provider) Beside() []core.Identity { return core.Replaced(p) }

// Guards implements Guarded.
func (p Provider) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, p)
	return ofProvider(p.ID, guardsOfOwner(core.GuardSubject("provider", p.ID, isOld, p.Name),
		before.URLs != p.URLs || p.CallbackAcknowledgement.takesMore(before.CallbackAcknowledgement) ||
			!slices.Equal(before.IPWhitelist, p.IPWhitelist),
		before.APIKey != p.APIKey || before.SecretKey != p.SecretKey || before.VerificationKey != p.VerificationKey ||
			before.WebhookSecret != p.WebhookSecret || demandsLess(before.SignatureMode, p.SignatureMode),
		p.IsActive && !before.IsActive || p.IsCreditCardEnabled && !before.IsCreditCardEnabled))
}

// ofProvider are guards of what is a provider's.
func ofProvider(id int64, guards []core.Guard) []core.Guard {
	for i := range guards {
		guards[i].ProviderID = id
	}
	return guards
}

// Beside implements Guarded.
func (s Site) Beside() []core.Identity { return core.Replaced(s) }

// Guards implements Guarded.
func (s Site) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, s)
	return ofProvider(s.ProviderID, guardsOfOwner(core.GuardSubject("site", s.ID, isOld, s.Name),
		before.URLs != s.URLs || !before.leadsBackTo(s.Returns) || !before.Brand.saysTheSame(s.Brand), before.CredentialFingerprint != s.CredentialFingerprint,
		before.DealerID != s.DealerID || s.IsActive && !before.IsActive))
}

// Beside implements Guarded.
func (d Dealer) Beside() []core.Identity { return core.Replaced(d) }

// Guards implements Guarded.
func (d Dealer) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, d)
	subject := core.GuardSubject("dealer", d.ID, isOld, d.Name)
	guards := guardsOfOwner(subject,
		before.URLs != d.URLs || d.CallbackAcknowledgement.takesMore(before.CallbackAcknowledgement) ||
			!before.leadsBackTo(d.Returns) || !before.Brand.saysTheSame(d.Brand) || !slices.Equal(before.IPWhitelist, d.IPWhitelist),
		before.APIKey != d.APIKey || before.SecretKey != d.SecretKey || demandsLess(before.SignatureMode, d.SignatureMode) ||
			before.IsIdempotencyRequired && !d.IsIdempotencyRequired,
		before.Name != d.Name || d.IsActive && !before.IsActive || before.takesLess(d))
	return append(guards, core.GuardIf(isOld && !before.HandCreditMax.Equal(d.HandCreditMax), core.GuardLimits, subject, d.ID)...)
}

// demandsLess reports whether a caller may sign with less than before: that is as much as another key.
func demandsLess(before, after SignatureMode) bool {
	return before == SignatureRequired && after != SignatureRequired
}

// takesLess reports whether another state of the dealer takes payments by a method that this one does not.
func (d Dealer) takesLess(than Dealer) bool {
	return than.IsCreditCardEnabled && !d.IsCreditCardEnabled || than.IsEIBANEnabled && !d.IsEIBANEnabled ||
		than.IsManualIBANEnabled && !d.IsManualIBANEnabled
}

// Beside implements Guarded.
func (t SiteToken) Beside() []core.Identity { return core.Replaced(t) }

// Guards implements Guarded.
func (t SiteToken) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, t)
	isKeyed := before.Token != t.Token || before.SecretKey != t.SecretKey || t.IsActive && !before.IsActive ||
		demandsLess(before.SignatureMode, t.SignatureMode)
	return core.GuardIf(isKeyed, core.GuardKeys, core.GuardSubject("site_token", t.ID, isOld, t.Name), 0)
}

// Beside implements Guarded.
func (a Account) Beside() []core.Identity { return core.Replaced(a) }

// Guards implements Guarded: where customers pay to, and for how much. Switching an account off is never held up. What a dealer's own
// staff change of it but for the switch takes somebody of the house, whatever the rules say, and so does switching on what the house has
// switched off.
func (a Account) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, a)
	subject := core.GuardSubject("account", a.ID, isOld, a.IBAN)
	isElsewhere := before.IBAN != a.IBAN || before.Holder != a.Holder || before.BankName != a.BankName ||
		before.DealerID != a.DealerID || before.Kind != a.Kind
	isLimited := !before.Min.Equal(a.Min) || !before.Max.Equal(a.Max) || !before.DailyLimit.Equal(a.DailyLimit) ||
		before.DailyCount != a.DailyCount
	guards := core.GuardIf(isElsewhere || a.IsActive && !before.IsActive, core.GuardIBAN, subject, a.DealerID)
	guards = append(guards, core.GuardIf(isOld && isLimited, core.GuardLimits, subject, a.DealerID)...)
	for i := range guards {
		guards[i].IsAlways = in.IsByTenant && (isElsewhere || isLimited || a.IsActive && before.IsHeld)
	}
	return guards
}
