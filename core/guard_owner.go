package core

import "slices"

// guardsOfOwner are of what all owners have: where callbacks go and from where the API may be called, keys, and whether
// payments are taken.
func guardsOfOwner(subject string, isCalledElsewhere, isKeyed, isRouted bool) []Guard {
	guards := guardIf(isCalledElsewhere, GuardCallbackURL, subject, 0)
	guards = append(guards, guardIf(isKeyed, GuardKeys, subject, 0)...)
	return append(guards, guardIf(isRouted, GuardRouting, subject, 0)...)
}

// Beside implements Guarded.
func (p Provider) Beside() []Identity { return Replaced(p) }

// Guards implements Guarded.
func (p Provider) Guards(in Judged) []Guard {
	before, isOld := Before(in, p)
	return guardsOfOwner(named("provider", p.ID, isOld, p.Name),
		before.URLs != p.URLs || !slices.Equal(before.IPWhitelist, p.IPWhitelist),
		before.APIKey != p.APIKey || before.SecretKey != p.SecretKey || before.VerificationKey != p.VerificationKey ||
			before.WebhookSecret != p.WebhookSecret,
		p.IsActive && !before.IsActive || p.IsCreditCardEnabled && !before.IsCreditCardEnabled)
}

// Beside implements Guarded.
func (s Site) Beside() []Identity { return Replaced(s) }

// Guards implements Guarded.
func (s Site) Guards(in Judged) []Guard {
	before, isOld := Before(in, s)
	return guardsOfOwner(named("site", s.ID, isOld, s.Name),
		before.URLs != s.URLs, before.CredentialFingerprint != s.CredentialFingerprint,
		before.DealerID != s.DealerID || s.IsActive && !before.IsActive)
}

// Beside implements Guarded.
func (d Dealer) Beside() []Identity { return Replaced(d) }

// Guards implements Guarded.
func (d Dealer) Guards(in Judged) []Guard {
	before, isOld := Before(in, d)
	subject := named("dealer", d.ID, isOld, d.Name)
	guards := guardsOfOwner(subject,
		before.URLs != d.URLs || !slices.Equal(before.IPWhitelist, d.IPWhitelist),
		before.APIKey != d.APIKey || before.SecretKey != d.SecretKey,
		before.Name != d.Name || d.IsActive && !before.IsActive || before.takesLess(d))
	return append(guards, guardIf(isOld && !before.HandCreditMax.Equal(d.HandCreditMax), GuardLimits, subject, d.ID)...)
}

// takesLess reports whether another state of the dealer takes payments by a method that this one does not.
func (d Dealer) takesLess(than Dealer) bool {
	return than.IsCreditCardEnabled && !d.IsCreditCardEnabled || than.IsEIBANEnabled && !d.IsEIBANEnabled ||
		than.IsManualIBANEnabled && !d.IsManualIBANEnabled
}

// Beside implements Guarded.
func (t SiteToken) Beside() []Identity { return Replaced(t) }

// Guards implements Guarded.
func (t SiteToken) Guards(in Judged) []Guard {
	before, isOld := Before(in, t)
	isKeyed := before.Token != t.Token || before.SecretKey != t.SecretKey || t.IsActive && !before.IsActive
	return guardIf(isKeyed, GuardKeys, named("site_token", t.ID, isOld, t.Name), 0)
}

// Beside implements Guarded.
func (a Account) Beside() []Identity { return Replaced(a) }

// Guards implements Guarded: where customers pay to, and for how much. Switching an account off is never held up.
func (a Account) Guards(in Judged) []Guard {
	before, isOld := Before(in, a)
	subject := named("account", a.ID, isOld, a.IBAN)
	isElsewhere := before.IBAN != a.IBAN || before.Holder != a.Holder || before.BankName != a.BankName ||
		before.DealerID != a.DealerID || before.Kind != a.Kind
	isLimited := !before.Min.Equal(a.Min) || !before.Max.Equal(a.Max) || !before.DailyLimit.Equal(a.DailyLimit) ||
		before.DailyCount != a.DailyCount
	guards := guardIf(isElsewhere || a.IsActive && !before.IsActive, GuardIBAN, subject, a.DealerID)
	return append(guards, guardIf(isOld && isLimited, GuardLimits, subject, a.DealerID)...)
}
