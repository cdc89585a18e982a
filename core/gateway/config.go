package gateway

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// MaxConfigChars bounds one configuration value.
const MaxConfigChars = 4096

// Config is a gateway account's configuration. It holds the values in a function, because fmt prints the unexported
// fields of a program's own structs: what a print of it shows is an address. The zero Config has no values.
type Config struct {
	values func(name string) (now, before string)
}

// NewConfig takes checked values, completes them with the fields' defaults, and keeps the values before the last change
// of those fields that rotate.
func NewConfig(fields []ConfigField, values, previous map[string]string) Config {
	now, before := map[string]string{}, map[string]string{}
	for _, f := range fields {
		now[f.Name] = cmp.Or(values[f.Name], f.Default)
		if old := previous[f.Name]; f.IsRotating && old != now[f.Name] {
			before[f.Name] = old
		}
	}
	return Config{func(name string) (string, string) { return now[name], before[name] }}
}

func (c Config) look(name string) (now, before string) {
	if c.values == nil {
		return "", ""
	}
	return c.values(name)
}

// Text is a field's value: of a secret, too.
func (c Config) Text(name string) string {
	now, _ := c.look(name)
	return now
}

// Bool reports whether a field is "true".
func (c Config) Bool(name string) bool { return c.Text(name) == "true" }

// List is a field's texts, without the blanks around them.
func (c Config) List(name string) []string {
	var list []string
	for item := range strings.SplitSeq(c.Text(name), ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

// Secrets is a rotating secret's values, the present one first; what is not set is none.
func (c Config) Secrets(name string) []string {
	now, before := c.look(name)
	return slices.DeleteFunc([]string{now, before}, func(v string) bool { return v == "" })
}

// CheckConfig holds values to the fields of a descriptor: each failed field is named. Fault: Invalid.
func CheckConfig(fields []ConfigField, values map[string]string) error {
	var failed []fault.Field
	fail := func(name, key string, args ...any) {
		failed = append(failed, fault.Field{Name: name, Key: key, Args: append([]any{name}, args...)})
	}
	for _, f := range fields {
		if key, args := f.Problem(values[f.Name]); key != "" {
			fail(f.Name, key, args...)
		}
	}
	var unknown []string
	for name := range values {
		if !slices.ContainsFunc(fields, func(f ConfigField) bool { return f.Name == name }) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		fail(name, "field.unknown")
	}
	return fault.Fields("gateway.CheckConfig", failed)
}

// Problem says what is wrong with a value, as a key of core/lang with its further arguments; an empty key: nothing.
func (f ConfigField) Problem(value string) (key string, args []any) {
	switch {
	case value == "" && (!f.IsRequired || f.Default != ""):
		return "", nil
	case f.isBlank(value):
		return "field.required", nil
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0) || lang.Bare(value) != value: // what was copied along with a key
		return "field.text", nil
	case utf8.RuneCountInString(value) > MaxConfigChars:
		return "field.max", []any{MaxConfigChars}
	}
	if key, args = f.typeProblem(value); key != "" {
		return key, args
	}
	if f.Collects && slices.ContainsFunc(f.ibans(value), func(text string) bool { return !iban.IsValid(text) }) {
		return "field.iban", nil
	}
	if f.Pattern != "" && !regexp.MustCompile(`^(?:`+f.Pattern+`)$`).MatchString(value) {
		return "field.pattern", nil
	}
	return "", nil
}

// isBlank reports whether there is nothing in a value, nor in any item of a list.
func (f ConfigField) isBlank(value string) bool {
	if f.Type == ListField {
		value = strings.ReplaceAll(value, ",", "")
	}
	return strings.TrimSpace(value) == ""
}

func (f ConfigField) typeProblem(value string) (key string, args []any) {
	switch f.Type {
	case URLField:
		u, err := url.Parse(value)
		if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
			return "field.url", nil
		}
	case IntField:
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			return "field.number", nil
		}
	case DecimalField:
		if _, err := money.ParseDecimal(value); err != nil {
			return "field.number", nil
		}
	case BoolField:
		if value != "true" && value != "false" {
			return "field.choice", []any{"true, false"}
		}
	case ChoiceField:
		if !slices.Contains(f.Choices, value) {
			return "field.choice", []any{strings.Join(f.Choices, ", ")}
		}
	case TextField, SecretField, ListField:
	}
	return "", nil
}

// Collecting lists the bank accounts on which the gateway collects by a configuration's values: normalized IBANs, each once.
func (d Descriptor) Collecting(values map[string]string) []string {
	var all []string
	for _, f := range d.Config {
		if f.Collects {
			all = append(all, f.ibans(cmp.Or(values[f.Name], f.Default))...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ibans are the normalized IBANs in a field's value.
func (f ConfigField) ibans(value string) []string {
	var list []string
	for item := range strings.SplitSeq(value, ",") {
		if item = iban.Normalize(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

// Hosts lists the hosts that a gateway may reach in an environment: those of the descriptor, and those of its url
// fields. A host carries its port where it is not the scheme's own.
func (d Descriptor) Hosts(environment string, c Config) []string {
	var hosts []string
	for _, e := range d.Environments {
		if e.Name == environment {
			hosts = append(hosts, e.Hosts...)
		}
	}
	for _, f := range d.Config {
		if f.Type != URLField {
			continue
		}
		if u, err := url.Parse(c.Text(f.Name)); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

// SecretValues lists every secret of a configuration, so that it can be blotted out.
func (d Descriptor) SecretValues(c Config) []string {
	var all []string
	for _, f := range d.Config {
		if f.Type == SecretField {
			all = append(all, c.Secrets(f.Name)...)
		}
	}
	return all
}
