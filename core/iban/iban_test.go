package iban_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/iban"
)

// examples are the registry's own example IBANs (SWIFT, IBAN Registry), from the shortest to the longest.
var examples = []string{
	"NO9386011117947", "BE68539007547034", "NL91ABNA0417164300", "DK5000400440116243", "AT611904300234573201",
	"CH9300762011623852957", "DE89370400440532013000", "GB29NWBK60161331926819", "AE070331234567890123456",
	"SE4550000000058398257466", "ES9121000418450200051332", "SA0380000000608010167519", "TR330006100519786457841326",
	"PT50000201231234567890154", "IT60X0542811101000000123456", "FR1420041010050500013M02606", "GR1601101250000000012300695",
	"AZ21NABZ00000000137010001944", "PL61109010140000071219812874", "CY17002001280000001200527600",
	"MU17BOMM0101101030300200000MUR", "MT84MALT011000012345MTLCAST001S",
}

func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	for _, example := range examples {
		if !iban.IsValid(example) || !iban.HasShape(example) {
			t.Errorf("%s is refused", example)
		}
		if iban.IsValid(example[:len(example)-1]) || iban.IsValid(example+"0") {
			t.Errorf("%s is taken with another length", example)
		}
	}
}

// TestWrongDigits: mod-97 finds every single wrong digit, and every swap of two neighbours.
func TestWrongDigits(t *testing.T) {
	t.Parallel()
	for _, example := range examples {
		for i := 2; i < len(example); i++ {
			for _, digit := range "0123456789" {
				wrong := example[:i] + string(digit) + example[i+1:]
				if wrong != example && example[i] <= '9' && iban.IsValid(wrong) {
					t.Errorf("%s is taken for %s", wrong, example)
				}
			}
			if i+1 < len(example) && example[i] != example[i+1] {
				if swapped := example[:i] + example[i+1:i+2] + example[i:i+1] + example[i+2:]; iban.IsValid(swapped) {
					t.Errorf("%s is taken for %s", swapped, example)
				}
			}
		}
	}
}

func TestIsNotValid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "TR", "TR330006100519786457841327", "tr330006100519786457841326", "TR33 0006 1005 1978 6457 8413 26",
		"XX330006100519786457841326", "000006100519786457841326", "TR3300061005197864578413 6", strings.Repeat("A", 34), strings.Repeat("0", 15),
		"TR33000610051978645784132\x00", "TR33000610051978645784132\xff",
	} {
		if iban.IsValid(text) {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestHasShape(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		strings.Repeat("0", 15): true, strings.Repeat("Z", 34): true, "A1B2C3D4E5F6G7H8": true,
		strings.Repeat("0", 14): false, strings.Repeat("0", 35): false, "": false,
		"a23456789012345": false, "1234567-9012345": false, "1234567 9012345": false, "1234567Ş9012345": false,
		"123456789012345\n": false, "/23456789012345": false, ":23456789012345": false, "@23456789012345": false, "[23456789012345": false,
	}
	for text, want := range tests {
		if got := iban.HasShape(text); got != want {
			t.Errorf("HasShape(%q) = %v", text, got)
		}
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"": "", " \t\n": "", "tr33 0006": "TR330006", "TR\u00a033\u2007\n00": "TR3300", "ie29": "IE29",
	}
	for text, want := range tests {
		if got := iban.Normalize(text); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		once := iban.Normalize(text)
		if iban.HasShape(once) && iban.Normalize(once) != once {
			t.Fatalf("%q becomes %q, and then another", text, once)
		}
		example := rapid.SampledFrom(examples).Draw(t, "example")
		if got := iban.Normalize(" " + strings.ToLower(iban.Grouped(example)) + " "); got != example {
			t.Fatalf("%s comes back as %s", example, got)
		}
	})
}

func TestGrouped(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, grouped string }{
		{"TR330006100519786457841326", "TR33 0006 1005 1978 6457 8413 26"},
		{"NO9386011117947", "NO93 8601 1117 947"},
		{"TR330006", "TR33 0006"},
		{"TR33000", "TR33 000"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := iban.Grouped(tt.text); got != tt.grouped {
			t.Errorf("Grouped(%q) = %q, want %q", tt.text, got, tt.grouped)
		}
	}
}
