package storetest

import (
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// opens is a changeset that creates an open deposit within limits. Its bound is its payment's.
func opens(p payment.Payment, limits payment.OpenLimits) core.Changeset {
	b := payment.OpenBound{ProviderID: p.ProviderID, SiteID: p.SiteID, UserID: p.Customer.UserID, OpenLimits: limits}
	if b.ProviderID == 0 {
		b.DealerID = p.DealerID
	}
	return core.Changeset{b, p}
}

// openDeposit is a new open one of a customer.
func (w *world) openDeposit(providerID, siteID, dealerID int64, userID string) payment.Payment {
	p := w.payment()
	p.Status, p.Method = payment.Showing, payment.ManualDeposit
	p.ProviderID, p.SiteID, p.DealerID, p.Customer.UserID = providerID, siteID, dealerID, userID
	return p
}

func customersBounded(w *world) {
	two := payment.OpenLimits{PerCustomer: 2}
	first, second := w.openDeposit(801, 811, 821, "u"), w.openDeposit(801, 812, 822, "u")
	second.Method, second.Status = payment.CryptoDeposit, payment.Processing
	w.commit(opens(first, two), opens(second, two))
	third := w.openDeposit(801, 811, 821, "u")
	w.refused(fault.TooManyOpen, opens(third, two))
	w.nothingThere(third)
	w.commit(opens(w.openDeposit(801, 811, 821, "U"), two)) // another customer
	w.commit(opens(w.openDeposit(802, 811, 821, "u"), two)) // another provider's
	for _, other := range []payment.Method{payment.ManualWithdrawal, payment.CreditCard, payment.BankWithdrawal} {
		p := w.openDeposit(803, 813, 821, "u")
		p.Method = other
		w.commit(core.Changeset{p})
	}
	w.commit(opens(w.openDeposit(803, 813, 821, "u"), payment.OpenLimits{PerCustomer: 1})) // the others are no deposits
	first.Version, first.Status = 2, payment.Canceled
	w.commit(core.Changeset{first}, opens(third, two))

	w.commit(opens(w.openDeposit(0, 0, 821, "d"), payment.OpenLimits{PerCustomer: 1})) // dealers' own
	w.refused(fault.TooManyOpen, opens(w.openDeposit(0, 0, 821, "d"), payment.OpenLimits{PerCustomer: 1}))
	w.commit(opens(w.openDeposit(0, 0, 822, "d"), payment.OpenLimits{PerCustomer: 1}))
}

func sitesBounded(w *world) {
	two := payment.OpenLimits{PerSite: 2}
	w.commit(opens(w.openDeposit(831, 841, 821, "a"), two), opens(w.openDeposit(831, 841, 821, "b"), two))
	w.refused(fault.TooManyOpen, opens(w.openDeposit(831, 841, 821, "c"), two))
	w.commit(opens(w.openDeposit(831, 842, 821, "c"), two))
	w.commit(opens(w.openDeposit(831, 841, 821, "c"), payment.OpenLimits{PerSite: 3}))
}

// boundedTogether: many create at the same moment, for one customer and at one site.
func boundedTogether(w *world) {
	const callers, most = 40, 3
	for _, limits := range []payment.OpenLimits{{PerCustomer: most}, {PerSite: most}, {PerCustomer: most, PerSite: most + 1}} {
		provider := w.openDeposit(0, 0, 0, "").CreatedAt.UnixNano() + int64(limits.PerCustomer)*1_000_003 + int64(limits.PerSite)*1_000_033
		var changes []core.Changeset
		for range callers {
			changes = append(changes, opens(w.openDeposit(provider, provider, 821, "u"), limits))
		}
		var mu sync.Mutex
		var all sync.WaitGroup
		made := 0
		for _, change := range changes {
			all.Go(func() {
				switch err := w.store.Commit(w.ctx, change); {
				case err == nil:
					mu.Lock()
					made++
					mu.Unlock()
				case !fault.Is(err, fault.TooManyOpen):
					w.t.Errorf("%v", err)
				}
			})
		}
		all.Wait()
		w.same(most, made)
	}
}
