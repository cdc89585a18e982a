package plugins_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/ports"
)

// none is a gateway that can do nothing.
type none struct{ environment string }

func (none) Probe(context.Context) gateway.ProbeReport { return gateway.ProbeReport{} }
func (none) Close() error                              { return nil }

// deposits is a gateway that takes deposits, by its methods.
type deposits struct {
	none
	ports.DepositStarter
	ports.DepositReader
}

func open[G ports.Gateway](ports.GatewayEnv) (G, error) {
	var g G
	return g, nil
}

// descriptor is a right one for deposits.
func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "testpay", Title: "Test Pay", Version: "1.0.0", PortVersion: gateway.PortVersion, Maturity: gateway.Beta,
		Kinds: []gateway.Kind{gateway.Card},
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{"api.example.com", "127.0.0.1:8080", "[::1]:80"}},
		},
		Config: []gateway.ConfigField{
			{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true},
			{Name: "lang", Label: "Language", Type: gateway.ChoiceField, Choices: []string{"tr", "en"}, Default: "tr"},
			{Name: "term", Label: "Terminal", Type: gateway.TextField, Pattern: "[0-9]+", Default: "1"},
		},
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY}, Steps: []gateway.StepKind{gateway.StepRedirect},
			Min: money.MustDecimal("1"), Max: money.MustDecimal("10"),
			Needs: []gateway.FieldSpec{{Name: "phone", Check: gateway.CheckPhone}},
		},
	}
}

func TestARegistryFindsItsPlugins(t *testing.T) {
	t.Parallel()
	second := descriptor()
	second.Code = "anotherpay"
	r, err := plugins.NewRegistry(
		plugins.Register(descriptor(), open[deposits]), plugins.Register(second, open[deposits]),
	)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, p := range r.Plugins() {
		codes = append(codes, p.Describe().Code)
	}
	if got := strings.Join(codes, " "); got != "anotherpay testpay" {
		t.Errorf("it has %s", got)
	}
	p, ok := r.Plugin("testpay")
	if !ok || p.Describe().Title != "Test Pay" || !p.Has(gateway.CanStartDeposit) || p.Has(gateway.CanPayOut) {
		t.Errorf("found %v", p)
	}
	if p, ok := r.Plugin("TESTPAY"); ok {
		t.Errorf("found %v", p)
	}
}

func TestTwoPluginsOfOneCodeAreNamed(t *testing.T) {
	t.Parallel()
	one := plugins.Register(descriptor(), open[deposits])
	_, err := plugins.NewRegistry(one, one, one)
	if err == nil || err.Error() != "two plugins are called \"testpay\"\ntwo plugins are called \"testpay\"" {
		t.Errorf("got %v", err)
	}
}

func TestEveryProblemOfEveryPluginIsNamed(t *testing.T) {
	t.Parallel()
	bad, worse := descriptor(), descriptor()
	bad.Title, bad.Version = "", ""
	worse.Code = "W"
	_, err := plugins.NewRegistry(plugins.Register(bad, open[deposits]), plugins.Register(worse, open[deposits]))
	want := strings.Join([]string{
		`plugin "testpay": Title is empty: it is what the back office calls the gateway`,
		`plugin "testpay": Version is empty`,
		`plugin "W": Code "W" must be 2 to 32 lower-case letters, digits and dashes`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestAnEmptyRegistryIsFine(t *testing.T) {
	t.Parallel()
	r, err := plugins.NewRegistry()
	if err != nil || len(r.Plugins()) != 0 {
		t.Errorf("%v, %v", r.Plugins(), err)
	}
}

func TestAGatewayIsOpenedWithItsSurroundings(t *testing.T) {
	t.Parallel()
	opened := plugins.Register(descriptor(), func(env ports.GatewayEnv) (*none, error) { return &none{env.Environment}, nil })
	g, err := opened.Open(ports.GatewayEnv{Environment: gateway.Sandbox})
	if n, ok := g.(*none); err != nil || !ok || n.environment != gateway.Sandbox {
		t.Errorf("%v, %v", g, err)
	}
	why := errors.New("no key")
	failing := plugins.Register(descriptor(), func(ports.GatewayEnv) (none, error) { return none{}, why })
	if _, err := failing.Open(ports.GatewayEnv{}); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

// TestCapabilitiesAreSeenFromTheMethods: a gateway of one more interface has that capability and no other.
func TestCapabilitiesAreSeenFromTheMethods(t *testing.T) {
	t.Parallel()
	d := descriptor()
	with := map[gateway.Capability]ports.Plugin{
		gateway.CanStartDeposit: plugins.Register(d, open[struct {
			none
			ports.DepositStarter
		}]),
		gateway.CanReadDeposit: plugins.Register(d, open[struct {
			none
			ports.DepositReader
		}]),
		gateway.CanFinishReturn: plugins.Register(d, open[struct {
			none
			ports.ReturnFinisher
		}]),
		gateway.CanListDeposits: plugins.Register(d, open[struct {
			none
			ports.DepositLister
		}]),
		gateway.CanCancelDeposit: plugins.Register(d, open[struct {
			none
			ports.DepositCanceler
		}]),
		gateway.CanReviewDeposit: plugins.Register(d, open[struct {
			none
			ports.DepositReviewer
		}]),
		gateway.CanRefund: plugins.Register(d, open[struct {
			none
			ports.Refunder
		}]),
		gateway.CanQuote: plugins.Register(d, open[struct {
			none
			ports.Quoter
		}]),
		gateway.CanListOptions: plugins.Register(d, open[struct {
			none
			ports.OptionLister
		}]),
		gateway.CanReadNotification: plugins.Register(d, open[struct {
			none
			ports.NotificationReader
		}]),
		gateway.CanPayOut: plugins.Register(d, open[struct {
			none
			ports.Payer
		}]),
		gateway.CanCheckPayout: plugins.Register(d, open[struct {
			none
			ports.PayoutChecker
		}]),
		gateway.CanApprovePayout: plugins.Register(d, open[struct {
			none
			ports.PayoutApprover
		}]),
		gateway.CanCancelPayout: plugins.Register(d, open[struct {
			none
			ports.PayoutCanceler
		}]),
		gateway.CanReadAccounts: plugins.Register(d, open[struct {
			none
			ports.AccountReader
		}]),
		gateway.CanReadStatement: plugins.Register(d, open[struct {
			none
			ports.StatementReader
		}]),
		gateway.CanTransfer: plugins.Register(d, open[struct {
			none
			ports.TransferSender
		}]),
		gateway.CanReadDispute: plugins.Register(d, open[struct {
			none
			ports.DisputeReader
		}]),
		gateway.CanListDisputes: plugins.Register(d, open[struct {
			none
			ports.DisputeLister
		}]),
		gateway.CanAcceptDispute: plugins.Register(d, open[struct {
			none
			ports.DisputeAccepter
		}]),
		gateway.CanAnswerDispute: plugins.Register(d, open[struct {
			none
			ports.DisputeAnswerer
		}]),
	}
	if len(with) != len(gateway.Capabilities()) {
		t.Errorf("there are %d capabilities", len(gateway.Capabilities()))
	}
	for has, plugin := range with {
		for _, c := range gateway.Capabilities() {
			if plugin.Has(c) != (c == has) {
				t.Errorf("a gateway with the method of %s has %s: %v", has, c, plugin.Has(c))
			}
		}
		if plugin.Has("fly") {
			t.Errorf("a gateway with the method of %s can fly", has)
		}
	}
}
