package plugins_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/ports"
)

func TestARightPluginHasNoProblem(t *testing.T) {
	t.Parallel()
	if got := plugins.Check(plugins.Register(descriptor(), open[deposits])); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestEveryRuleOfADescriptorHasItsSentence(t *testing.T) {
	t.Parallel()
	type d = gateway.Descriptor
	configured := func(f gateway.ConfigField) func(*d) { return func(d *d) { d.Config = []gateway.ConfigField{f} } }
	needing := func(s gateway.FieldSpec) func(*d) { return func(d *d) { d.Deposit.Needs = []gateway.FieldSpec{s} } }
	for want, change := range map[string]func(*d){
		`Code "" must be 2 to 32 lower-case letters, digits and dashes`:      func(d *d) { d.Code = "" },
		`Code "Pay" must be 2 to 32 lower-case letters, digits and dashes`:   func(d *d) { d.Code = "Pay" },
		`Code "1pay" must be 2 to 32 lower-case letters, digits and dashes`:  func(d *d) { d.Code = "1pay" },
		`Code "pay\n" must be 2 to 32 lower-case letters, digits and dashes`: func(d *d) { d.Code = "pay\n" },
		`Title is empty: it is what the back office calls the gateway`:       func(d *d) { d.Title = "" },
		`Version is empty`:                                                                func(d *d) { d.Version = "" },
		`PortVersion is 2: this program speaks 1`:                                         func(d *d) { d.PortVersion = 2 },
		`Maturity "" must be one of [draft experimental beta stable]`:                     func(d *d) { d.Maturity = "" },
		`Kinds is empty: say whether it is for cards, banks, crypto, wallets or accounts`: func(d *d) { d.Kinds = nil },
		`Kind "cash" must be one of [card bank crypto wallet account]`:                    func(d *d) { d.Kinds = []gateway.Kind{"cash"} },
		`Environments is empty: name "sandbox", "production" or both, with their hosts`:   func(d *d) { d.Environments = nil },
		`environment "test" must be "sandbox" or "production"`:                            func(d *d) { d.Environments[0].Name = "test" },
		`two environments are called "sandbox"`: func(d *d) {
			d.Environments = append(d.Environments, d.Environments[0])
		},
		`environment "sandbox" names no host, and no configuration field of type url gives one`: func(d *d) { d.Environments[0].Hosts = nil },
		`environment "sandbox": host "https://a.example" must be a host alone, with its port where that is not 443`: func(d *d) {
			d.Environments[0].Hosts = []string{"https://a.example"}
		},
		`environment "sandbox": host "a.example/v1" must be a host alone, with its port where that is not 443`: func(d *d) {
			d.Environments[0].Hosts = []string{"a.example/v1"}
		},
		`environment "sandbox": host "" must be a host alone, with its port where that is not 443`: func(d *d) {
			d.Environments[0].Hosts = []string{""}
		},
		`configuration field "apiKey" must be lower-case letters, digits and underscores`: func(d *d) { d.Config[0].Name = "apiKey" },
		`two configuration fields are called "api_key"`:                                   func(d *d) { d.Config[1].Name = "api_key" },
		`configuration field "api_key" has no Label`:                                      func(d *d) { d.Config[0].Label = "" },
		`configuration field "a": its Type "" must be one of [text secret url int bool choice list decimal]`: configured(
			gateway.ConfigField{Name: "a", Label: "A"}),
		`configuration field "a" has no Choices`: configured(gateway.ConfigField{Name: "a", Label: "A", Type: gateway.ChoiceField}),
		`configuration field "a": its Pattern is no regular expression`: configured(
			gateway.ConfigField{Name: "a", Label: "A", Type: gateway.TextField, Pattern: "(", Default: "b"}),
		`configuration field "a": a secret has no Default`: configured(
			gateway.ConfigField{Name: "a", Label: "A", Type: gateway.SecretField, Default: "b"}),
		`configuration field "a": its Default "b" is not valid (field.number)`: configured(
			gateway.ConfigField{Name: "a", Label: "A", Type: gateway.IntField, Default: "b"}),
		`configuration field "a": its Default "b" is not valid (field.pattern)`: configured(
			gateway.ConfigField{Name: "a", Label: "A", Type: gateway.TextField, Default: "b", Pattern: "c"}),
		`Deposit.Assets is empty`:                                      func(d *d) { d.Deposit.Assets = nil },
		`Deposit.Steps is empty: say what the customer is asked to do`: func(d *d) { d.Deposit.Steps = nil },
		`Deposit.Min is greater than Deposit.Max`:                      func(d *d) { d.Deposit.Min = money.MustDecimal("10.01") },
		`Deposit.Needs: field "walletNo" must be lower-case letters, digits and underscores`: needing(
			gateway.FieldSpec{Name: "walletNo", Check: gateway.CheckText}),
		`Deposit.Needs: field "bank" has no Choices`: needing(gateway.FieldSpec{Name: "bank", Check: gateway.CheckChoice}),
		`Deposit.Needs: field "bank": its Check "" must be one of ` +
			`[text iban name tckn wallet-number crypto-address phone email choice]`: needing(gateway.FieldSpec{Name: "bank"}),
		`Deposit.Needs: field "iban" is asked for kind "bank", which is none of the descriptor's Kinds`: needing(
			gateway.FieldSpec{Name: "iban", Check: gateway.CheckIBAN, Kinds: []gateway.Kind{gateway.Card, gateway.Bank}}),
		`Deposit.Refund.NeedsTarget: field "A" must be lower-case letters, digits and underscores`: func(d *d) {
			d.Deposit.Refund.NeedsTarget = []gateway.FieldSpec{{Name: "A", Check: gateway.CheckAddress}}
		},
	} {
		changed := descriptor()
		change(&changed)
		if got := plugins.Check(plugins.Register(changed, open[deposits])); !slices.Equal(got, []string{want}) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestAURLFieldStandsForAHost(t *testing.T) {
	t.Parallel()
	d := descriptor()
	d.Environments[0].Hosts = nil
	d.Config = append(d.Config, gateway.ConfigField{Name: "base_url", Label: "Address", Type: gateway.URLField})
	if got := plugins.Check(plugins.Register(d, open[deposits])); got != nil {
		t.Errorf("got %q", got)
	}
}

// everything is a gateway with every method that there is.
type everything struct {
	deposits
	ports.ReturnFinisher
	ports.DepositLister
	ports.DepositCanceler
	ports.DepositReviewer
	ports.Refunder
	ports.Quoter
	ports.OptionLister
	ports.DisputeReader
	ports.DisputeLister
	ports.DisputeAccepter
	ports.DisputeAnswerer
	ports.NotificationReader
	payouts
	ports.AccountReader
	ports.StatementReader
	ports.TransferSender
}

type payouts struct {
	ports.Payer
	ports.PayoutChecker
	ports.PayoutApprover
	ports.PayoutCanceler
}

// described says something of everything.
func described() gateway.Descriptor {
	d := descriptor()
	d.Payout = &gateway.PayoutTraits{Assets: []gateway.Asset{gateway.TRY}, Approval: gateway.CodeApproval}
	d.Account, d.Notify = &gateway.AccountTraits{}, &gateway.NotifyTraits{}
	return d
}

func TestAGatewayThatDoesEverythingAndSaysSoIsRight(t *testing.T) {
	t.Parallel()
	if got := plugins.Check(plugins.Register(described(), open[everything])); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestAPromiseWithoutItsMethodHasItsSentence(t *testing.T) {
	t.Parallel()
	got := plugins.Check(plugins.Register(described(), open[none]))
	var want []string
	for _, promise := range []string{
		"Deposit start_deposit", "Deposit read_deposit", "Payout pay_out", "Account read_accounts", "Account read_statement",
		"Account transfer", "Notify read_notification",
	} {
		part, capability, _ := strings.Cut(promise, " ")
		want = append(want, "the descriptor has "+part+", and the gateway lacks the method of "+capability+" (see ports/gateway.go)")
	}
	want = append(want, `Payout.Approval is "code", and the gateway lacks the method of approve_payout`)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestAMethodThatTheDescriptorIsSilentOfHasItsSentence(t *testing.T) {
	t.Parallel()
	d := descriptor()
	d.Deposit = nil
	got := plugins.Check(plugins.Register(d, open[everything]))
	want := []string{"the gateway can do nothing: fill in Deposit, Payout or Account"}
	for part, capabilities := range map[string]string{
		"deposits: fill in Deposit": "start_deposit read_deposit finish_return list_deposits cancel_deposit review_deposit refund " +
			"quote list_options read_dispute list_disputes accept_dispute answer_dispute",
		"payouts: fill in Payout":       "pay_out check_payout approve_payout cancel_payout",
		"accounts: fill in Account":     "read_accounts read_statement transfer",
		"notifications: fill in Notify": "read_notification",
	} {
		for c := range strings.FieldsSeq(capabilities) {
			want = append(want, "the gateway has the method of "+c+", and the descriptor says nothing of "+part)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(want) != len(gateway.Capabilities())+1 {
		t.Errorf("there are %d capabilities", len(gateway.Capabilities()))
	}
}

// lister lists disputes, and reads none.
type lister struct {
	deposits
	ports.DisputeLister
}

func TestDisputesThatAreListedAreRead(t *testing.T) {
	t.Parallel()
	want := []string{"the gateway has the method of list_disputes, and lacks that of read_dispute: each dispute is read by its id"}
	if got := plugins.Check(plugins.Register(descriptor(), open[lister])); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPayoutsHaveTheirBounds(t *testing.T) {
	t.Parallel()
	d := described()
	d.Payout = &gateway.PayoutTraits{
		Min: money.MustDecimal("2"), Max: money.MustDecimal("1.99"), Approval: gateway.ManualApproval,
		Needs: []gateway.FieldSpec{{Name: "IBAN", Check: gateway.CheckIBAN}},
	}
	want := []string{
		"Payout.Assets is empty", "Payout.Min is greater than Payout.Max",
		`Payout.Needs: field "IBAN" must be lower-case letters, digits and underscores`,
	}
	if got := plugins.Check(plugins.Register(d, open[everything])); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
