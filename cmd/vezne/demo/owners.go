package demo

import (
	"context"
	"fmt"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

// Seed fills an empty database with those whom a demo needs, and gives what demo.json says.
func (h House) Seed(ctx context.Context) (demofile.File, error) {
	m := &seeder{House: h}
	d := m.owners(ctx)
	d.Wallets = m.wallets(ctx, d.Sandbox, openedBefore)
	return d, m.err
}

// owners makes everybody and everything but the wallets.
func (m *seeder) owners(ctx context.Context) demofile.File {
	marmara := m.dealer(ctx, "Marmara Finans")
	ege := m.dealer(ctx, "Ege Ödeme")
	m.dealer(ctx, "Toros Tahsilat")
	m.dealers = map[string]int64{"marmara": marmara.ID, "ege": ege.ID}
	m.accounts(ctx, marmara.ID, "Marmara Finans A.Ş.", marmaraAccounts)
	m.accounts(ctx, ege.ID, "Ege Ödeme Ltd. Şti.", egeAccounts)

	provider := m.provider(ctx, "Acme Pay", lang.TR)
	other := m.provider(ctx, "Globex Payments", lang.EN)
	inactive := m.provider(ctx, "Dormant Pay", lang.TR)
	d := demofile.File{
		Provider:         demofile.ProviderOf(provider),
		OtherProvider:    demofile.SitedProvider{Provider: demofile.ProviderOf(other)},
		InactiveProvider: demofile.SitedProvider{Provider: demofile.ProviderOf(inactive)},
		Dealer:           demofile.Dealer{ID: marmara.ID, APIKey: marmara.APIKey, SecretKey: marmara.SecretKey.Reveal()},
		Sites: []demofile.Site{
			m.site(ctx, provider.ID, marmara.ID, "acme.example"), m.site(ctx, provider.ID, ege.ID, "acme-oyun.example"),
		},
	}
	d.OtherProvider.Sites = []demofile.Site{m.site(ctx, other.ID, ege.ID, "globex.example")}
	d.InactiveProvider.Sites = []demofile.Site{m.site(ctx, inactive.ID, ege.ID, "dormant.example")}
	m.deactivate(ctx, inactive)
	d.SiteToken = m.siteToken(ctx, marmara.ID)
	d.Staff = m.staff(ctx, marmara.ID, provider.ID)
	m.fourEyes(ctx)
	d.Sandbox = m.sandbox(ctx)
	return d
}

func (m *seeder) dealer(ctx context.Context, name string) (d owner.Dealer) {
	m.try("dealer "+name, func() (err error) {
		d, err = m.Directory.CreateDealer(ctx, app.BySystem, owner.Dealer{
			Name: name, IsManualIBANEnabled: true, IsEIBANEnabled: true, IsCreditCardEnabled: true,
			URLs: owner.CallbackURLs{CreditCard: m.inboxURL()},
		})
		return err
	})
	return d
}

func (m *seeder) provider(ctx context.Context, name string, tag lang.Tag) (p owner.Provider) {
	m.try("provider "+name, func() (err error) {
		p, err = m.Directory.CreateProvider(ctx, app.BySystem, owner.Provider{
			Name: name, Language: tag, IsCreditCardEnabled: true,
			URLs: owner.CallbackURLs{Deposit: m.inboxURL(), Withdrawal: m.inboxURL(), CreditCard: m.inboxURL()},
		})
		return err
	})
	return p
}

func (m *seeder) deactivate(ctx context.Context, p owner.Provider) {
	m.try("deactivating "+p.Name, func() error {
		p.Version++
		p.IsActive = false
		return m.Unit.Commit(ctx, core.Changeset{p})
	})
}

func (m *seeder) site(ctx context.Context, providerID, dealerID int64, name string) (d demofile.Site) {
	m.try("site "+name, func() error {
		s, key, err := m.Directory.CreateSite(ctx, app.BySystem, owner.Site{
			ProviderID: providerID, DealerID: dealerID, Name: name,
			Returns: owner.Returns{ReturnOrigins: []string{"http://127.0.0.1:3000", "http://localhost:3000"}}, // the documents' own server
		})
		d = demofile.Site{ID: s.ID, Name: s.Name, CredentialKey: key}
		return err
	})
	return d
}

func (m *seeder) siteToken(ctx context.Context, dealerID int64) (d demofile.SiteToken) {
	m.try("a site token", func() error {
		t, err := m.Directory.CreateSiteToken(ctx, app.BySystem, owner.SiteToken{DealerID: dealerID, Name: "marmara.example"})
		d = demofile.SiteToken{Token: t.Token, SecretKey: t.SecretKey.Reveal()}
		return err
	})
	return d
}

// seedAccount is an IBAN account with its limits in lira.
type seedAccount struct {
	kind                owner.AccountKind
	bank, iban          string
	low, high, dayLimit int64
	dayCount            int
}

// marmaraAccounts: small, middle and large amounts, and one without a daily limit.
var marmaraAccounts = []seedAccount{
	{owner.ManualAccount, "Ziraat Bankası", "TR330006100519786457841326", 1, 5_000, 250_000, 500},
	{owner.ManualAccount, "Garanti BBVA", "TR320010009999901234567890", 1, 20_000, 500_000, 0},
	{owner.ManualAccount, "İş Bankası", "TR290006400000112345678901", 1_000, 250_000, 2_500_000, 0},
}

var egeAccounts = []seedAccount{
	{owner.ManualAccount, "Yapı Kredi", "TR930006700000000000000021", 1, 50_000, 1_000_000, 0},
	{owner.ManualAccount, "QNB", "TR270011100000000000000022", 100, 100_000, 1_000_000, 200},
}

func (m *seeder) accounts(ctx context.Context, dealerID int64, holder string, list []seedAccount) {
	for _, a := range list {
		m.try("account "+a.bank, func() error {
			_, err := m.Directory.CreateAccount(ctx, app.BySystem, owner.Account{
				DealerID: dealerID, Kind: a.kind, BankName: a.bank, Holder: holder, IBAN: a.iban,
				Min: lira(a.low), Max: lira(a.high), DailyLimit: lira(a.dayLimit), DailyCount: a.dayCount,
			})
			return err
		})
	}
}

// fourEyes has withdrawals above 10,000 TRY wait for a second person: the operator asks, and the admin approves.
func (m *seeder) fourEyes(ctx context.Context) {
	m.try("the rule of four eyes", func() error {
		_, err := m.Approvals.SetRule(ctx, app.BySystem, approval.Rule{
			Action: core.GuardWithdrawal, IsOn: true, Above: money.New(10_000_00, money.TRY), LapseAfter: approval.DefaultLapse,
		})
		return err
	})
}

// staff makes one member of each role. An email that an earlier seeding took gets a number.
func (m *seeder) staff(ctx context.Context, dealerID, providerID int64) (list []demofile.Staff) {
	m.members = map[staff.Role][]staff.Staff{}
	for _, role := range append(staff.Roles(), staff.Admin) { // two admins: some of what one does needs the other
		n := appstaff.NewStaff{Role: role}
		switch {
		case role.IsDealers():
			n.DealerID = dealerID
		case role.IsProviders():
			n.ProviderID = providerID
		}
		m.try("staff "+string(role), func() error {
			password, err := core.NewKey("demo-", m.Unit.Random)
			if err != nil {
				return err
			}
			n.Password = password
			for i := 1; i < 100; i++ {
				n.Email = fmt.Sprintf("%s@demo.vezne.local", role)
				if i > 1 {
					n.Email = fmt.Sprintf("%s%d@demo.vezne.local", role, i)
				}
				var member staff.Staff
				if member, err = m.Staff.Create(ctx, app.BySystem, n); !fault.Is(err, fault.Conflict) {
					m.members[role] = append(m.members[role], member)
					break
				}
			}
			list = append(list, demofile.Staff{Email: n.Email, Password: n.Password, Role: string(role)})
			return err
		})
	}
	return list
}
