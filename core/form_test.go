package core_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

func text(s string) core.Input { return core.Input{Kind: core.TextInput, Text: s} }

func number(s string) core.Input { return core.Input{Kind: core.NumberInput, Text: s} }

// TestFormFields reads each kind of field: want is the value, or the key of the failure.
func TestFormFields(t *testing.T) {
	t.Parallel()
	missing, other := core.Input{}, core.Input{Kind: core.OtherInput, Text: "true"}
	long := strings.Repeat("ş", 191)
	const iban, suspect = "TR330006100519786457841326", "TR330006100519786457841327"
	ibans := func(isStrict bool) func(*core.Form, core.Input) string {
		return func(f *core.Form, in core.Input) string { return f.IBAN("iban", in, isStrict) }
	}
	valid := func(read func(*core.Form, string, core.Input) string) func(*core.Form, core.Input) string {
		return func(f *core.Form, in core.Input) string {
			if value := read(f, "field_name", in); f.Err("op") == nil {
				return value
			}
			return "" // what failed is not used
		}
	}
	for kind, c := range map[string]struct {
		read func(*core.Form, core.Input) string
		want map[core.Input]string
	}{
		"name": {func(f *core.Form, in core.Input) string { return f.Name("fullname", in) }, map[core.Input]string{
			text("Ayşe"): "Ayşe", text(" \t Ayşe  Yılmaz \n"): "Ayşe  Yılmaz", text(long): long, text("  " + long + "  "): long,
			text(long + "ş"): "field.max", text(""): "field.required", text(" \u00a0\u2003\n"): "field.required", missing: "field.required",
			other: "field.type", number("7"): "field.type", text("a\x00b"): "field.text", text("a\nb"): "field.text",
			text("a\u0085b"): "field.text", text("a\xffb"): "field.text",
		}},
		"user id": {func(f *core.Form, in core.Input) string { return f.UserID("user_id", in) }, map[core.Input]string{
			text("u-1"): "u-1", number("42"): "42", number("12345678901234567890123"): "12345678901234567890123",
			number("-1"): "field.type", number("1.0"): "field.type", number("1e5"): "field.type",
			number(strings.Repeat("9", 192)): "field.max", other: "field.type", missing: "field.required",
		}},
		"amount": {
			func(f *core.Form, in core.Input) string {
				if amount := f.Amount("amount", in, core.MinAmount(money.TRY)); f.Err("op") == nil {
					return amount.String()
				}
				return ""
			}, map[core.Input]string{
				number("1"): "1.00", number("250.5"): "250.50", number("2.5e2"): "250.00", number("999999999.99"): "999999999.99",
				text("250.00"): "250.00", text(" 250 "): "250.00", missing: "field.required", text(""): "field.required",
				text("  "): "field.required", {Kind: core.OtherInput, Text: "[1]"}: "field.amount.number", text("abc"): "field.amount.number",
				text("1e2"): "field.amount.number", text("1,50"): "field.amount.number", text("₺5"): "field.amount.number", number("0.99"): "field.min",
				number("0"): "field.min", number("-5"): "field.min", text("-0"): "field.min", number("1.001"): "field.decimals",
				text("1.000"): "field.decimals", number("1e-400"): "field.decimals", number("1000000000"): "field.range",
				number("1e999999999"): "field.range", number(strings.Repeat("9", 10_000)): "field.range",
			},
		},
		"text": {func(f *core.Form, in core.Input) string { return f.Text("description", in, 500) }, map[core.Input]string{
			missing: "", text(""): "", text("  "): "", text(" Order 42 "): "Order 42", text(strings.Repeat("ş", 500)): strings.Repeat("ş", 500),
			text(strings.Repeat("ş", 501)): "field.max", text("a\x00"): "field.text", number("7"): "field.type", other: "field.type",
		}},
		"email": {valid((*core.Form).Email), map[core.Input]string{
			text(" ayse@example.com "): "ayse@example.com", text("a.b+c@mail.example.com.tr"): "a.b+c@mail.example.com.tr",
			text("ayse"): "field.email", text("ayse@"): "field.email", text("a@b"): "field.email", text("Ayşe <a@example.com>"): "field.email",
			missing: "field.required", text(" "): "field.required", number("7"): "field.type", text("a@example.com\x00"): "field.text",
			text(strings.Repeat("a", 180) + "@example.com"): "field.max",
		}},
		"phone": {valid((*core.Form).Phone), map[core.Input]string{
			text("+90 (555) 111-22.33"): "+90 (555) 111-22.33", text("05551112233"): "05551112233", number("5551112233"): "5551112233",
			text("1234567"): "1234567", text("123456789012345"): "123456789012345", text("123456"): "field.phone",
			text("1234567890123456"): "field.phone", text("555-CALL-ME"): "field.phone", text("+"): "field.phone",
			text("٥٥٥١١١٢٢٣٣"): "field.phone", text("1" + strings.Repeat(" ", 31) + "234567"): "field.max", missing: "field.required",
			text(""): "field.required", number("-5551112233"): "field.type", number("5.5e9"): "field.type", other: "field.type",
		}},
		"id": {
			func(f *core.Form, in core.Input) string {
				if n := f.Number("gateway_id", in); n != 0 {
					return strconv.FormatInt(n, 10)
				}
				return ""
			}, map[core.Input]string{
				number("1"): "1", text(" 42 "): "42", number("9223372036854775807"): "9223372036854775807",
				number("9223372036854775808"): "field.id", number("0"): "field.id", number("-1"): "field.id", number("1.0"): "field.id",
				number("1e2"): "field.id", text("+1"): "field.id", text("0x1"): "field.id", text("1_0"): "field.id", text("one"): "field.id",
				number(strings.Repeat("9", 10_000)): "field.id", missing: "field.required", text(" "): "field.required", other: "field.id",
			},
		},
		"IBAN": {ibans(false), map[core.Input]string{
			text(suspect):                 suspect, // a failed check is flagged, not rejected
			text(strings.Repeat("1", 15)): strings.Repeat("1", 15), text(strings.Repeat("1", 34)): strings.Repeat("1", 34),
			text(strings.Repeat("1", 14)): "field.length", text(strings.Repeat("1", 35)): "field.length",
			text("TR33-0006-1005-1978"): "field.alphanumeric", text("TR33000610051978ŞŞ"): "field.alphanumeric",
			text("TR330006100519\x00\x00\x00"): "field.alphanumeric", text(strings.Repeat("\xff", 20)): "field.alphanumeric",
			text(" \n "): "field.required", missing: "field.required", number("123456789012345"): "field.type", other: "field.type",
		}},
		"strict IBAN": {ibans(true), map[core.Input]string{
			text(iban): iban, text(" tr33 0006 1005 1978 6457 8413 26 "): iban, text(suspect): "field.iban",
		}},
	} {
		for in, want := range c.want {
			var form core.Form
			got := c.read(&form, in)
			if key := coretest.FailedField(t, form.Err("op")); key != "" && got != "" || got+key != want {
				t.Errorf("%s %.40v: %q and %q, want %.40q", kind, in, got, key, want)
			}
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
		if amount := form.Amount("amount", in, coretest.Lira(100)); form.Err("op") == nil && (amount.Minor() < 100 || amount.Minor() > money.MaxMinor || amount.Currency() != money.TRY) {
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
	form.Amount("amount", text("x"), coretest.Lira(100))
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
		if key := coretest.FailedField(t, err); key != "" {
			got = key
		}
		if got != tt.want {
			t.Errorf("CheckReason(%.20q) = %.20q, want %.20q", tt.in, got, tt.want)
		}
	}
}

func TestParsePrefix(t *testing.T) {
	t.Parallel()
	taken := map[string]string{
		"203.0.113.9": "203.0.113.9/32", "203.0.113.9/24": "203.0.113.0/24", "2001:db8::1": "2001:db8::1/128",
		"::ffff:203.0.113.9": "203.0.113.9/32", "::ffff:203.0.113.9/120": "203.0.113.0/24", "fe80::1%eth0": "fe80::1/128",
		"0.0.0.0/0": "0.0.0.0/0", "::/0": "::/0",
		"::ffff:0.0.0.0/90": "::ffc0:0:0/90", // wider than all of IPv4: stays IPv6
	}
	for text, want := range taken {
		if got, err := core.ParsePrefix(" " + text + "\n"); err != nil || got.String() != want {
			t.Errorf("ParsePrefix(%q) = %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "203.0.113", "203.0.113.9/33", "203.0.113.009", "2001:db8::/129", "203.0.113.9/", "203.0.113.9/-1", "example.com", "203.0.113.1-9"} {
		if got, err := core.ParsePrefix(text); err == nil {
			t.Errorf("ParsePrefix(%q) = %s", text, got)
		}
	}
}

// TestWhatNobodySees: what people write is taken without it, what they are known by is refused with it, and nothing turns a text.
func TestWhatNobodySees(t *testing.T) {
	t.Parallel()
	reads := map[string]struct {
		read    func(*core.Form, string) string
		isExact bool
	}{
		"name":   {read: func(f *core.Form, sent string) string { return f.Name("it", text(sent)) }},
		"text":   {read: func(f *core.Form, sent string) string { return f.Text("it", text(sent), 500) }},
		"rename": {read: func(f *core.Form, sent string) (to string) { f.Rename("it", &sent, &to); return to }},
		"reason": {read: func(f *core.Form, sent string) string {
			reason, err := core.CheckReason(sent, 500)
			if err != nil {
				f.Fail("it", "field.text")
				return ""
			}
			return reason
		}},
		"exact":   {read: func(f *core.Form, sent string) string { return f.Exact("it", text(sent)) }, isExact: true},
		"user id": {read: func(f *core.Form, sent string) string { return f.UserID("it", text(sent)) }, isExact: true},
		"email": {isExact: true, read: func(f *core.Form, sent string) string {
			email, _, _ := strings.Cut(f.Email("it", text(sent+"@b.example")), "@")
			return email
		}},
		"reference": {isExact: true, read: func(f *core.Form, sent string) string { return f.Reference("it", text(sent)) }},
	}
	for name, kind := range reads {
		for _, c := range texttest.Hidden {
			var form core.Form
			got := kind.read(&form, "A"+c+"b")
			if err := form.Err("op"); kind.isExact != (err != nil) || err == nil && got != "Ab" {
				t.Errorf("%s: of %+q became %+q (%v)", name, c, got, err)
			}
		}
		for _, c := range texttest.Controls {
			var form core.Form
			if got := kind.read(&form, "A"+c+"b"); form.Err("op") == nil && name != "reason" {
				t.Errorf("%s: %+q is taken as %+q", name, c, got)
			} else if !core.IsCleanText(got) {
				t.Errorf("%s: %+q has become %+q", name, c, got)
			}
		}
	}
	for _, c := range texttest.Hidden { // as they are copied
		var form core.Form
		iban := form.IBAN("iban", text(c+"TR33 0006 1005 1978 6457 8413 26"), true)
		phone := form.Phone("phone", text("+90 555"+c+" 111 22 33"))
		if err := form.Err("op"); err != nil || iban != "TR330006100519786457841326" || phone != "+90 555 111 22 33" {
			t.Errorf("%+q: %s, %s (%v)", c, iban, phone, err)
		}
	}
	var form core.Form
	if form.Name("it", text("\u3164\u200B")); form.Err("op") == nil {
		t.Error("a name that nobody sees is one")
	}
}
