package plugins

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

var (
	codeShape = regexp.MustCompile(`^[a-z][a-z0-9-]{1,31}$`)
	nameShape = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
)

// Check holds a plugin's descriptor to the rules, and its methods to its descriptor. Each problem is a sentence that
// says what to do.
func Check(p ports.Plugin) []string {
	c := &checker{plugin: p, d: p.Describe()}
	c.identity()
	c.config()
	c.turkish()
	c.capabilities()
	return c.problems
}

type checker struct {
	plugin   ports.Plugin
	d        gateway.Descriptor
	problems []string
}

func (c *checker) wrong(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *checker) unless(ok bool, format string, args ...any) {
	if !ok {
		c.wrong(format, args...)
	}
}

func fieldTypes() []gateway.FieldType {
	return []gateway.FieldType{
		gateway.TextField, gateway.SecretField, gateway.URLField, gateway.IntField, gateway.BoolField, gateway.ChoiceField,
		gateway.ListField, gateway.DecimalField,
	}
}

func fieldChecks() []gateway.FieldCheck {
	return []gateway.FieldCheck{
		gateway.CheckText, gateway.CheckIBAN, gateway.CheckName, gateway.CheckTCKN, gateway.CheckWallet, gateway.CheckAddress,
		gateway.CheckPhone, gateway.CheckEmail, gateway.CheckChoice,
	}
}

func (c *checker) identity() {
	c.unless(codeShape.MatchString(c.d.Code), "Code %q must be 2 to 32 lower-case letters, digits and dashes", c.d.Code)
	c.unless(c.d.Title != "", "Title is empty: it is what the back office calls the gateway")
	c.unless(c.d.Version != "", "Version is empty")
	c.unless(c.d.PortVersion == gateway.PortVersion, "PortVersion is %d: this program speaks %d", c.d.PortVersion, gateway.PortVersion)
	maturities := []gateway.Maturity{gateway.Draft, gateway.Experimental, gateway.Beta, gateway.Stable}
	c.unless(slices.Contains(maturities, c.d.Maturity), "Maturity %q must be one of %v", c.d.Maturity, maturities)
	c.unless(len(c.d.Kinds) > 0, "Kinds is empty: say whether it is for cards, banks, crypto, wallets or accounts")
	for _, k := range c.d.Kinds {
		c.unless(slices.Contains(gateway.Kinds(), k), "Kind %q must be one of %v", k, gateway.Kinds())
	}
	c.unless(len(c.d.Environments) > 0, "Environments is empty: name %q, %q or both, with their hosts", gateway.Sandbox, gateway.Production)
	c.environments()
}

func (c *checker) environments() {
	hasURL := slices.ContainsFunc(c.d.Config, func(f gateway.ConfigField) bool { return f.Type == gateway.URLField })
	seen := map[string]bool{}
	for _, e := range c.d.Environments {
		c.unless(e.Name == gateway.Sandbox || e.Name == gateway.Production, "environment %q must be %q or %q", e.Name, gateway.Sandbox, gateway.Production)
		c.unless(!seen[e.Name], "two environments are called %q", e.Name)
		seen[e.Name] = true
		c.unless(len(e.Hosts) > 0 || hasURL, "environment %q names no host, and no configuration field of type url gives one", e.Name)
		for _, h := range e.Hosts {
			u, err := url.Parse("//" + h)
			c.unless(err == nil && u.Host == h && u.Hostname() != "",
				"environment %q: host %q must be a host alone, with its port where that is not 443", e.Name, h)
		}
	}
}

// turkish checks that each text that is said in Turkish is one that there still is.
func (c *checker) turkish() {
	texts := c.d.Texts()
	for english, turkish := range c.d.Turkish {
		c.unless(slices.Contains(texts, english), "Turkish has a text that the descriptor does not: %q", english)
		c.unless(turkish != "", "the Turkish of %q is empty", english)
	}
}

func (c *checker) config() {
	seen := map[string]bool{}
	for _, f := range c.d.Config {
		c.unless(nameShape.MatchString(f.Name), "configuration field %q must be lower-case letters, digits and underscores", f.Name)
		c.unless(!seen[f.Name], "two configuration fields are called %q", f.Name)
		seen[f.Name] = true
		c.unless(f.Label != "", "configuration field %q has no Label", f.Name)
		c.unless(slices.Contains(fieldTypes(), f.Type),
			"configuration field %q: its Type %q must be one of %v", f.Name, f.Type, fieldTypes())
		c.unless(f.Type != gateway.ChoiceField || len(f.Choices) > 0, "configuration field %q has no Choices", f.Name)
		c.unless(!f.Collects || f.Type == gateway.TextField || f.Type == gateway.ListField,
			"configuration field %q has Collects: its Type must be %q or %q", f.Name, gateway.TextField, gateway.ListField)
		_, err := regexp.Compile(f.Pattern)
		c.unless(err == nil, "configuration field %q: its Pattern is no regular expression", f.Name)
		c.unless(f.Type != gateway.SecretField || f.Default == "", "configuration field %q: a secret has no Default", f.Name)
		if f.Default != "" && err == nil {
			problem, _ := f.Problem(f.Default)
			c.unless(problem == "", "configuration field %q: its Default %q is not valid (%s)", f.Name, f.Default, problem)
		}
	}
}

// capabilities are held to the parts of a descriptor: what a part promises, and what only makes sense with it.
func (c *checker) capabilities() {
	parts := []struct {
		name       string
		isThere    bool
		must, may  []gateway.Capability
		isTraitsOf string
	}{
		{"Deposit", c.d.Deposit != nil,
			[]gateway.Capability{gateway.CanStartDeposit, gateway.CanReadDeposit},
			[]gateway.Capability{gateway.CanFinishReturn, gateway.CanListDeposits, gateway.CanCancelDeposit, gateway.CanReviewDeposit, gateway.CanRefund, gateway.CanQuote, gateway.CanListOptions, gateway.CanReadDispute, gateway.CanListDisputes, gateway.CanAcceptDispute, gateway.CanAnswerDispute}, "deposits"},
		{"Payout", c.d.Payout != nil,
			[]gateway.Capability{gateway.CanPayOut},
			[]gateway.Capability{gateway.CanCheckPayout, gateway.CanApprovePayout, gateway.CanCancelPayout}, "payouts"},
		{"Account", c.d.Account != nil,
			[]gateway.Capability{gateway.CanReadAccounts, gateway.CanReadStatement, gateway.CanTransfer}, nil, "accounts"},
		{"Notify", c.d.Notify != nil, []gateway.Capability{gateway.CanReadNotification}, nil, "notifications"},
	}
	for _, p := range parts {
		for _, capability := range p.must {
			has := c.plugin.Has(capability)
			c.unless(!p.isThere || has, "the descriptor has %s, and the gateway lacks the method of %s (see ports/gateway.go)", p.name, capability)
			c.unless(p.isThere || !has, "the gateway has the method of %s, and the descriptor says nothing of %s: fill in %s", capability, p.isTraitsOf, p.name)
		}
		for _, capability := range p.may {
			c.unless(p.isThere || !c.plugin.Has(capability), "the gateway has the method of %s, and the descriptor says nothing of %s: fill in %s", capability, p.isTraitsOf, p.name)
		}
	}
	for _, capability := range []gateway.Capability{gateway.CanListDisputes, gateway.CanAcceptDispute, gateway.CanAnswerDispute} {
		c.unless(!c.plugin.Has(capability) || c.plugin.Has(gateway.CanReadDispute),
			"the gateway has the method of %s, and lacks that of %s: each dispute is read by its id", capability, gateway.CanReadDispute)
	}
	c.unless(c.d.Deposit != nil || c.d.Payout != nil || c.d.Account != nil, "the gateway can do nothing: fill in Deposit, Payout or Account")
	c.traits()
}

func (c *checker) traits() {
	if d := c.d.Deposit; d != nil {
		c.unless(len(d.Assets) > 0, "Deposit.Assets is empty")
		c.unless(len(d.Steps) > 0, "Deposit.Steps is empty: say what the customer is asked to do")
		c.unless(d.Max.Sign() == 0 || d.Min.Cmp(d.Max) <= 0, "Deposit.Min is greater than Deposit.Max")
		c.fields("Deposit.Needs", d.Needs)
		c.fields("Deposit.Refund.NeedsTarget", d.Refund.NeedsTarget)
	}
	if p := c.d.Payout; p != nil {
		c.unless(len(p.Assets) > 0, "Payout.Assets is empty")
		c.unless(p.Max.Sign() == 0 || p.Min.Cmp(p.Max) <= 0, "Payout.Min is greater than Payout.Max")
		c.unless(p.Approval != gateway.CodeApproval || c.plugin.Has(gateway.CanApprovePayout), "Payout.Approval is %q, and the gateway lacks the method of %s", p.Approval, gateway.CanApprovePayout)
		c.fields("Payout.Needs", p.Needs)
	}
}

func (c *checker) fields(where string, specs []gateway.FieldSpec) {
	for _, f := range specs {
		c.unless(slices.Contains(fieldChecks(), f.Check),
			"%s: field %q: its Check %q must be one of %v", where, f.Name, f.Check, fieldChecks())
		c.unless(nameShape.MatchString(f.Name), "%s: field %q must be lower-case letters, digits and underscores", where, f.Name)
		c.unless(f.Check != gateway.CheckChoice || len(f.Choices) > 0, "%s: field %q has no Choices", where, f.Name)
		for _, k := range f.Kinds {
			c.unless(slices.Contains(c.d.Kinds, k),
				"%s: field %q is asked for kind %q, which is none of the descriptor's Kinds", where, f.Name, k)
		}
	}
}
