package core_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

func text(s string) core.Input   { return core.Input{Kind: core.TextInput, Text: s} }
func number(s string) core.Input { return core.Input{Kind: core.NumberInput, Text: s} }

// failure is the key of the one failed field; empty when none failed. Its sentences must take its arguments.
func failure(t testingT, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	fields := fault.FieldsOf(err)
	if len(fields) != 1 || !fault.Is(err, fault.Invalid) {
		t.Fatalf("%d failed fields: %v", len(fields), err)
	}
	f := fields[0]
	for _, tag := range lang.Tags() {
		if s := lang.Say(tag, f.Key, f.Args...); !lang.Has(f.Key) || strings.Contains(s, "%!") || !strings.Contains(s, f.Name) {
			t.Errorf("%s in %s: %s", f.Key, tag, s)
		}
	}
	return f.Key
}

func TestFormTexts(t *testing.T) {
	t.Parallel()
	missing, other := core.Input{}, core.Input{Kind: core.OtherInput, Text: "true"}
	long := strings.Repeat("ş", 191)
	tests := []struct {
		read func(*core.Form, string, core.Input) string
		in   core.Input
		want string // the text, or the key of the failure
	}{
		{(*core.Form).Name, text("Ayşe"), "Ayşe"},
		{(*core.Form).Name, text(" \t Ayşe  Yılmaz \n"), "Ayşe  Yılmaz"},
		{(*core.Form).Name, text(long), long},
		{(*core.Form).Name, text(long + "ş"), "field.max"},
		{(*core.Form).Name, text("  " + long + "  "), long},
		{(*core.Form).Name, text(""), "field.required"},
		{(*core.Form).Name, text(" \u00a0\u2003\n"), "field.required"},
		{(*core.Form).Name, missing, "field.required"},
		{(*core.Form).Name, other, "field.type"},
		{(*core.Form).Name, number("7"), "field.type"},
		{(*core.Form).Name, text("a\x00b"), "field.text"},
		{(*core.Form).Name, text("a\nb"), "field.text"},
		{(*core.Form).Name, text("a\u0085b"), "field.text"},
		{(*core.Form).Name, text("a\xffb"), "field.text"},
		{(*core.Form).UserID, text("u-1"), "u-1"},
		{(*core.Form).UserID, number("42"), "42"},
		{(*core.Form).UserID, number("12345678901234567890123"), "12345678901234567890123"},
		{(*core.Form).UserID, number("-1"), "field.type"},
		{(*core.Form).UserID, number("1.0"), "field.type"},
		{(*core.Form).UserID, number("1e5"), "field.type"},
		{(*core.Form).UserID, number(strings.Repeat("9", 192)), "field.max"},
		{(*core.Form).UserID, other, "field.type"},
		{(*core.Form).UserID, missing, "field.required"},
	}
	for _, tt := range tests {
		var form core.Form
		got := tt.read(&form, "field_name", tt.in)
		if key := failure(t, form.Err("op")); key != "" && got != "" {
			t.Errorf("%+v: failed, yet read %q", tt.in, got)
		} else if got+key != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, got+key, tt.want)
		}
	}
}

func TestFormAmount(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   core.Input
		want string // the amount, or the key of the failure
	}{
		{number("1"), "1.00"}, {number("250.5"), "250.50"}, {number("2.5e2"), "250.00"}, {number("999999999.99"), "999999999.99"},
		{text("250.00"), "250.00"}, {text(" 250 "), "250.00"},
		{core.Input{}, "field.required"}, {text(""), "field.required"}, {text("  "), "field.required"},
		{core.Input{Kind: core.OtherInput, Text: "[1]"}, "field.number"},
		{text("abc"), "field.number"}, {text("1e2"), "field.number"}, {text("1,50"), "field.number"}, {text("₺5"), "field.number"},
		{number("0.99"), "field.min"}, {number("0"), "field.min"}, {number("-5"), "field.min"}, {text("-0"), "field.min"},
		{number("1.001"), "field.decimals"}, {text("1.000"), "field.decimals"}, {number("1e-400"), "field.decimals"},
		{number("1000000000"), "field.range"}, {number("1e999999999"), "field.range"}, {number(strings.Repeat("9", 10_000)), "field.range"},
	}
	for _, tt := range tests {
		var form core.Form
		amount := form.Amount("amount", tt.in, core.MinAmount(money.TRY))
		got := failure(t, form.Err("op"))
		if got == "" {
			got = amount.String()
		}
		if got != tt.want {
			t.Errorf("%.40v: %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestFormOptionalText(t *testing.T) {
	t.Parallel()
	for in, want := range map[core.Input]string{
		{}: "", text(""): "", text("  "): "", text(" Order 42 "): "Order 42", text(strings.Repeat("ş", 500)): strings.Repeat("ş", 500),
		text(strings.Repeat("ş", 501)): "field.max", text("a\x00"): "field.text", number("7"): "field.type", {Kind: core.OtherInput}: "field.type",
	} {
		var form core.Form
		if got := form.Text("description", in, 500); got+failure(t, form.Err("op")) != want {
			t.Errorf("%.40v: %q %v, want %q", in, got, form.Err("op"), want)
		}
	}
}

func TestFormEmail(t *testing.T) {
	t.Parallel()
	for in, want := range map[core.Input]string{
		text(" ayse@example.com "): "ayse@example.com", text("a.b+c@mail.example.com.tr"): "a.b+c@mail.example.com.tr",
		text("ayse"): "field.email", text("ayse@"): "field.email", text("a@b"): "field.email", text("Ayşe <a@example.com>"): "field.email",
		{}: "field.required", text(" "): "field.required", number("7"): "field.type", text("a@example.com\x00"): "field.text",
		text(strings.Repeat("a", 180) + "@example.com"): "field.max",
	} {
		var form core.Form
		got := form.Email("email", in)
		if key := failure(t, form.Err("op")); key != "" {
			got = key
		}
		if got != want {
			t.Errorf("%.40v: %q, want %q", in, got, want)
		}
	}
}

func TestFormPhone(t *testing.T) {
	t.Parallel()
	for in, want := range map[core.Input]string{
		text("+90 (555) 111-22.33"): "+90 (555) 111-22.33", text("05551112233"): "05551112233", number("5551112233"): "5551112233",
		text("1234567"): "1234567", text("123456789012345"): "123456789012345",
		text("123456"): "field.phone", text("1234567890123456"): "field.phone", text("555-CALL-ME"): "field.phone", text("+"): "field.phone",
		text("٥٥٥١١١٢٢٣٣"): "field.phone", text("1" + strings.Repeat(" ", 31) + "234567"): "field.max",
		{}: "field.required", text(""): "field.required", number("-5551112233"): "field.type", number("5.5e9"): "field.type", {Kind: core.OtherInput}: "field.type",
	} {
		var form core.Form
		got := form.Phone("phone", in)
		if key := failure(t, form.Err("op")); key != "" {
			got = key
		}
		if got != want {
			t.Errorf("%.40v: %q, want %q", in, got, want)
		}
	}
}

func TestFormNumber(t *testing.T) {
	t.Parallel()
	for in, want := range map[core.Input]string{
		number("1"): "1", text(" 42 "): "42", number("9223372036854775807"): "9223372036854775807",
		number("9223372036854775808"): "field.id", number("0"): "field.id", number("-1"): "field.id", number("1.0"): "field.id",
		number("1e2"): "field.id", text("+1"): "field.id", text("0x1"): "field.id", text("1_0"): "field.id", text("one"): "field.id",
		number(strings.Repeat("9", 10_000)): "field.id", {}: "field.required", text(" "): "field.required", {Kind: core.OtherInput}: "field.id",
	} {
		var form core.Form
		got := strconv.FormatInt(form.Number("gateway_id", in), 10)
		if key := failure(t, form.Err("op")); key != "" {
			got = key
		}
		if got != want {
			t.Errorf("%.40v: %s, want %s", in, got, want)
		}
	}
}

func TestFormIBAN(t *testing.T) {
	t.Parallel()
	valid, suspect := "TR330006100519786457841326", "TR330006100519786457841327"
	tests := []struct {
		in       core.Input
		isStrict bool
		want     string
	}{
		{text(valid), true, valid},
		{text(" tr33 0006 1005 1978 6457 8413 26 "), true, valid},
		{text(suspect), false, suspect}, // a failed check is flagged, not rejected
		{text(suspect), true, "field.iban"},
		{text(strings.Repeat("1", 15)), false, strings.Repeat("1", 15)},
		{text(strings.Repeat("1", 34)), false, strings.Repeat("1", 34)},
		{text(strings.Repeat("1", 14)), false, "field.length"},
		{text(strings.Repeat("1", 35)), false, "field.length"},
		{text("TR33-0006-1005-1978"), false, "field.alphanumeric"},
		{text("TR33000610051978ŞŞ"), false, "field.alphanumeric"},
		{text("TR330006100519\x00\x00\x00"), false, "field.alphanumeric"},
		{text(strings.Repeat("\xff", 20)), false, "field.alphanumeric"},
		{text(" \n "), false, "field.required"},
		{core.Input{}, false, "field.required"},
		{number("123456789012345"), false, "field.type"},
		{core.Input{Kind: core.OtherInput}, false, "field.type"},
	}
	for _, tt := range tests {
		var form core.Form
		got := form.IBAN("iban", tt.in, tt.isStrict)
		if got += failure(t, form.Err("op")); got != tt.want {
			t.Errorf("%+v, strict %v: %q, want %q", tt.in, tt.isStrict, got, tt.want)
		}
	}
}

// TestFormReads: whatever is sent, what a form lets through keeps its promises.
func TestFormReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := core.Input{
			Kind: rapid.SampledFrom([]core.InputKind{core.Missing, core.TextInput, core.NumberInput, core.OtherInput}).Draw(t, "kind"),
			Text: rapid.OneOf(rapid.String(), rapid.StringMatching(`[-+ ]?[0-9]{0,12}([.][0-9]{0,4})?([eE][-+]?[0-9]{0,4})?`), rapid.StringMatching(`[A-Za-z]{2}[0-9 ]{10,40}`)).Draw(t, "text"),
		}
		var form core.Form
		if name := form.Name("name", in); form.Err("op") == nil && (name == "" || strings.TrimSpace(name) != name || !core.IsCleanText(name)) {
			t.Fatalf("name %q of %+v", name, in)
		}
		form = core.Form{}
		if got := form.IBAN("iban", in, true); form.Err("op") == nil && (!iban.IsValid(got) || iban.Normalize(got) != got) {
			t.Fatalf("IBAN %q of %+v", got, in)
		}
		form = core.Form{}
		if amount := form.Amount("amount", in, lira(100)); form.Err("op") == nil && (amount.Minor() < 100 || amount.Minor() > money.MaxMinor || amount.Currency() != money.TRY) {
			t.Fatalf("amount %s of %+v", amount, in)
		}
	})
}

// TestFormKeepsAll: every failed field is told, in one go and in order.
func TestFormKeepsAll(t *testing.T) {
	t.Parallel()
	var form core.Form
	if err := form.Err("op"); err != nil {
		t.Errorf("nothing failed: %v", err)
	}
	form.Name("fullname", core.Input{})
	form.Name("username", text("a"))
	form.Amount("amount", text("x"), lira(100))
	form.IBAN("iban", core.Input{}, false)
	var names []string
	for _, f := range fault.FieldsOf(form.Err("op")) {
		names = append(names, f.Name)
	}
	if want := []string{"fullname", "amount", "iban"}; !slices.Equal(names, want) {
		t.Errorf("failed %q, want %q", names, want)
	}
}

func TestCheckReason(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"", ""}, {"  fake \r\n\t slip ", "fake slip"}, {strings.Repeat("ş", 500), strings.Repeat("ş", 500)},
		{strings.Repeat("ş", 501), "field.max"}, {"a\x00b", "field.text"}, {"a\xffb", "field.text"},
	}
	for _, tt := range tests {
		got, err := core.CheckReason(tt.in, 500)
		if key := failure(t, err); key != "" {
			got = key
		}
		if got != tt.want {
			t.Errorf("CheckReason(%.20q) = %.20q, want %.20q", tt.in, got, tt.want)
		}
	}
}

func TestAccountCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*owner.Account)
		want   string
	}{
		{"good", func(*owner.Account) {}, ""},
		{"one amount only", func(a *owner.Account) { a.Max = a.Min }, ""},
		{"maximum under minimum", func(a *owner.Account) { a.Max = lira(99) }, "field.min"},
		{"minimum under 1", func(a *owner.Account) { a.Min = lira(99) }, "field.min"},
		{"no amounts", func(a *owner.Account) { a.Min, a.Max = money.Amount{}, money.Amount{} }, "field.min"},
		{"IBAN with a wrong digit", func(a *owner.Account) { a.IBAN = "TR330006100519786457841327" }, "field.iban"},
		{"no bank", func(a *owner.Account) { a.BankName = "" }, "field.required"},
		{"no holder", func(a *owner.Account) { a.Holder = " " }, "field.required"},
	}
	for _, tt := range tests {
		a := account(1).Account
		tt.change(&a)
		if got := failure(t, a.Check()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
