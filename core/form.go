package core

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// MaxNameChars bounds fullname, username and user_id (decisions: Strings).
const MaxNameChars = 191

// InputKind is what sort of value a caller sent in a field.
type InputKind int

// Kinds of input. The zero one is a field that was not sent, or null.
const (
	Missing InputKind = iota
	TextInput
	NumberInput // Text is the number's literal
	OtherInput  // a boolean, an array
	ObjectInput // Text is the object as it was sent
)

// Input is one field as the caller sent it.
type Input struct {
	Kind InputKind
	Text string
}

// Form checks the fields of a request, all in one go: every failed field is kept, and Err gives them together.
type Form struct{ failed []fault.Field }

// Err is the validation fault of all failed fields, or nil.
func (f *Form) Err(op string) error { return fault.Fields(op, f.failed) }

// Fail records a failed field.
func (f *Form) Fail(name, key string, args ...any) {
	f.failed = append(f.failed, fault.Field{Name: name, Key: key, Args: append([]any{name}, args...)})
}

// Name reads a required text of at most 191 characters: trimmed, valid UTF-8, no control characters. What nobody sees in it is left
// out (decisions: Strings).
func (f *Form) Name(name string, in Input) string {
	in.Text = lang.Bare(in.Text)
	return f.required(name, in, MaxNameChars)
}

// Exact is a Name that somebody or something is known by: one with something in it that nobody sees is refused, since without that
// it would be another's.
func (f *Form) Exact(name string, in Input) string { return f.required(name, in, MaxNameChars) }

// UserID is an Exact one that may also be sent as a number, taken as its digits.
func (f *Form) UserID(name string, in Input) string {
	if in.Kind == NumberInput && strings.Trim(in.Text, "0123456789") == "" {
		in.Kind = TextInput
	}
	return f.Exact(name, in)
}

func (f *Form) required(name string, in Input, maxChars int) string {
	text := strings.TrimSpace(in.Text)
	switch {
	case in.Kind == Missing || (in.Kind == TextInput && text == ""):
		f.Fail(name, "field.required")
	case in.Kind != TextInput:
		f.Fail(name, "field.type")
	case !IsCleanText(text):
		f.Fail(name, "field.text")
	case utf8.RuneCountInString(text) > maxChars:
		f.Fail(name, "field.max", maxChars)
	default:
		return text
	}
	return ""
}

// Amount reads a required amount: a number or a decimal string, of at least low.
func (f *Form) Amount(name string, in Input, low money.Amount) money.Amount {
	var amount money.Amount
	err := money.ErrNotANumber
	switch in.Kind {
	case Missing:
		f.Fail(name, "field.required")
		return amount
	case NumberInput:
		amount, err = money.ParseNumber(in.Text, low.Currency())
	case TextInput:
		text := strings.TrimSpace(in.Text)
		if text == "" {
			f.Fail(name, "field.required")
			return amount
		}
		amount, err = money.ParseText(text, low.Currency())
	case OtherInput, ObjectInput:
	}
	f.checkAmount(name, amount, low, err)
	return amount
}

func (f *Form) checkAmount(name string, amount, low money.Amount, err error) {
	switch {
	case errors.Is(err, money.ErrTooPrecise):
		f.Fail(name, "field.decimals", low.Currency().Decimals)
	case errors.Is(err, money.ErrOutOfRange):
		f.Fail(name, "field.range", money.New(money.MaxMinor, low.Currency()).String())
	case err != nil:
		f.Fail(name, "field.amount.number")
	case amount.Less(low):
		f.Fail(name, "field.min", low.String())
	}
}

// IBAN reads a required IBAN: normalized, 15 to 34 letters and digits. A failed mod-97 check rejects only where the
// site is strict (decisions: IBAN on E4, E6, E11).
func (f *Form) IBAN(name string, in Input, isStrict bool) string {
	text := iban.Normalize(lang.Bare(in.Text))
	switch {
	case in.Kind == Missing || (in.Kind == TextInput && text == ""):
		f.Fail(name, "field.required")
	case in.Kind != TextInput:
		f.Fail(name, "field.type")
	case utf8.RuneCountInString(text) < iban.MinLength || utf8.RuneCountInString(text) > iban.MaxLength:
		f.Fail(name, "field.length", iban.MinLength, iban.MaxLength)
	case !iban.HasShape(text):
		f.Fail(name, "field.alphanumeric")
	case isStrict && !iban.IsValid(text):
		f.Fail(name, "field.iban")
	default:
		return text
	}
	return ""
}

// Text reads an optional text of at most maxChars, as Name does.
func (f *Form) Text(name string, in Input, maxChars int) string {
	in.Text = lang.Bare(in.Text)
	if in.Kind == Missing || in.Kind == TextInput && strings.TrimSpace(in.Text) == "" {
		return ""
	}
	return f.required(name, in, maxChars)
}

// Email reads a required email address.
func (f *Form) Email(name string, in Input) string {
	text := f.Exact(name, in)
	if text != "" && !gateway.IsEmail(text) {
		f.Fail(name, "field.email")
	}
	return text
}

// maxPhoneChars is room for any phone number as people write it.
const maxPhoneChars = 32

// Phone reads a required phone number, as it was written; a JSON number is taken as its digits.
func (f *Form) Phone(name string, in Input) string {
	if in.Kind == NumberInput && strings.Trim(in.Text, "0123456789") == "" {
		in.Kind = TextInput
	}
	in.Text = lang.Bare(in.Text) // as phones copy them
	text := f.required(name, in, maxPhoneChars)
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" +-()./", r) {
			return -1
		}
		return r
	}, text)
	if text != "" && (strings.Trim(digits, "0123456789") != "" || len(digits) < 7 || len(digits) > 15) {
		f.Fail(name, "field.phone")
	}
	return text
}

// maxReferenceChars bounds a caller's own name for a payment.
const maxReferenceChars = 64

// Reference reads an optional name that the caller has for a payment, such as an order's number: one that needs no escaping anywhere, and
// has no room for a sentence. A number is taken as its digits.
func (f *Form) Reference(name string, in Input) string {
	text := strings.TrimSpace(in.Text)
	if in.Kind == Missing || in.Kind == TextInput && text == "" {
		return ""
	}
	isDigits := strings.Trim(text, "0123456789") == ""
	isOther := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._:/#-", r)
	}
	if in.Kind == OtherInput || in.Kind == NumberInput && !isDigits || len(text) > maxReferenceChars || strings.IndexFunc(text, isOther) >= 0 {
		f.Fail(name, "field.reference", maxReferenceChars)
		return ""
	}
	return text
}

// Number reads a required whole number of at least 1, such as an id; a text of digits is taken too.
func (f *Form) Number(name string, in Input) int64 {
	if in.Kind == Missing || in.Kind == TextInput && strings.TrimSpace(in.Text) == "" {
		f.Fail(name, "field.required")
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(in.Text), 10, 63)
	if err != nil || n < 1 || in.Kind == OtherInput {
		f.Fail(name, "field.id")
		return 0
	}
	return int64(n)
}

// IsCleanText reports whether a text shows what it is: see lang.IsClean.
func IsCleanText(s string) bool { return lang.IsClean(s) }

// CheckReason trims an optional reason of a decision; line breaks become spaces, and what nobody sees is left out.
func CheckReason(reason string, maxChars int) (string, error) {
	reason = strings.Join(strings.Fields(lang.Bare(reason)), " ")
	var form Form
	if !IsCleanText(reason) {
		form.Fail("reason", "field.text")
	} else if utf8.RuneCountInString(reason) > maxChars {
		form.Fail("reason", "field.max", maxChars)
	}
	return reason, form.Err("core.CheckReason")
}

// MinAmount is the smallest amount of a payment: 1 (Limits).
func MinAmount(c money.Currency) money.Amount {
	return money.New(100, c)
}

// Rename reads a name that may be changed; a new owner has to have one.
func (f *Form) Rename(field string, from, to *string) {
	if from != nil {
		*to = f.Name(field, Input{Kind: TextInput, Text: *from})
	} else if *to == "" {
		f.Fail(field, "field.required")
	}
}

// Bounds of a provider's settings.
const (
	maxURLBytes       = 2000
	maxWhitelistItems = 200
)

// URL reads an optional callback URL: http or https with a host, without a user part, or empty.
func (f *Form) URL(name string, from, to *string) {
	if from == nil {
		return
	}
	text := strings.TrimSpace(*from)
	u, err := url.Parse(text)
	isHTTP := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != ""
	switch {
	case len(text) > maxURLBytes:
		f.Fail(name, "field.max", maxURLBytes)
	case err == nil && u.User != nil:
		f.Fail(name, "field.url_user")
	case text != "" && (!isHTTP || !IsCleanText(text)):
		f.Fail(name, "field.url")
	default:
		*to = text
	}
}

// Whitelist reads addresses and CIDR blocks.
func (f *Form) Whitelist(name string, items []string) []netip.Prefix {
	list := make([]netip.Prefix, 0, len(items))
	for _, item := range items {
		p, err := ParsePrefix(item)
		if err != nil || len(items) > maxWhitelistItems {
			f.Fail(name, "field.cidr")
			return nil
		}
		list = append(list, p)
	}
	return list
}

// ParsePrefix reads an address or a CIDR block; IPv4 in IPv6 form becomes IPv4.
func ParsePrefix(text string) (netip.Prefix, error) {
	text = strings.TrimSpace(text)
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap().WithZone("")
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is not an address or a CIDR block", text)
	}
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), nil
}

// AreAmong reports whether all that is asked for exists; more than exist is refused, too.
func AreAmong[T comparable](asked, all []T) bool {
	return len(asked) <= len(all) && !slices.ContainsFunc(asked, func(v T) bool { return !slices.Contains(all, v) })
}
