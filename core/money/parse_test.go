package money_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/money"
)

// verdict is what a parser said: the amount, or which of the reasons.
func verdict(a money.Amount, err error) string {
	for reason, name := range map[error]string{
		money.ErrNotANumber: "not a number", money.ErrTooPrecise: "too precise", money.ErrOutOfRange: "out of range",
	} {
		if errors.Is(err, reason) {
			return name
		}
	}
	if err != nil {
		return "no reason: " + err.Error()
	}
	return a.String()
}

// TestParse is the table of what is taken, and why the rest is not. Leading zeros are taken in a text (007.50 can mean
// one thing only); JSON itself forbids them in a number, before anything is parsed here.
func TestParse(t *testing.T) {
	t.Parallel()
	const notANumber, tooPrecise, outOfRange = "not a number", "too precise", "out of range"
	tests := []struct{ text, asText, asNumber string }{
		{"0", "0.00", "0.00"}, {"-0", "0.00", "0.00"}, {"-0.00", "0.00", "0.00"}, {"1", "1.00", "1.00"},
		{"250", "250.00", "250.00"}, {"250.5", "250.50", "250.50"}, {"250.50", "250.50", "250.50"}, {"0.01", "0.01", "0.01"},
		{"-12.34", "-12.34", "-12.34"}, {"01", "1.00", "1.00"}, {"007.50", "7.50", "7.50"},
		{"999999999.99", "999999999.99", "999999999.99"}, {"-999999999.99", "-999999999.99", "-999999999.99"},
		{"1000000000", outOfRange, outOfRange}, {"1000000000.00", outOfRange, outOfRange}, {"-1000000000", outOfRange, outOfRange},
		{"9223372036854775807", outOfRange, outOfRange}, {"18446744073709551616", outOfRange, outOfRange},
		{"184467440737095516.16", outOfRange, outOfRange}, // 2^64 kuruş

		// Never rounded, and trailing zeros count.
		{"0.001", tooPrecise, tooPrecise}, {"1.005", tooPrecise, tooPrecise}, {"100.000", tooPrecise, tooPrecise},
		{"0.000", tooPrecise, tooPrecise}, {"999999999.999", tooPrecise, tooPrecise},

		// Scientific notation is JSON's, not a text's.
		{"2.5e2", notANumber, "250.00"}, {"2.5E+2", notANumber, "250.00"}, {"250e-2", notANumber, "2.50"},
		{"0.001e1", notANumber, "0.01"}, {"0.00001e3", notANumber, "0.01"}, {"1e8", notANumber, "100000000.00"},
		{"1e9", notANumber, outOfRange}, {"1e20", notANumber, outOfRange}, {"1e21", notANumber, outOfRange},
		{"0e20", notANumber, "0.00"}, {"1e-2", notANumber, "0.01"}, {"1e-3", notANumber, tooPrecise},
		{"1e-20", notANumber, tooPrecise}, {"1e-21", notANumber, tooPrecise}, {"1e-400", notANumber, tooPrecise},
		{"1e999999999", notANumber, outOfRange}, {"-1e999999999", notANumber, outOfRange}, {"1e-999999999", notANumber, tooPrecise},
		{"1e99999999999999999999", notANumber, outOfRange}, {"1e-99999999999999999999", notANumber, tooPrecise},
		{"1e", notANumber, notANumber}, {"1e+", notANumber, notANumber}, {"e5", notANumber, notANumber}, {"1e5e5", notANumber, notANumber},
		{"1e+-5", notANumber, notANumber}, {"1e5.0", notANumber, notANumber}, {"1e 5", notANumber, notANumber}, {"1eabcdef", notANumber, notANumber},
		{".e1", notANumber, notANumber}, {"-e1", notANumber, notANumber}, {"1.e1", notANumber, notANumber},

		// Everything that some number parser or other takes, and this one does not.
		{"", notANumber, notANumber}, {"-", notANumber, notANumber}, {".", notANumber, notANumber}, {"+1", notANumber, notANumber},
		{"--1", notANumber, notANumber}, {"-+1", notANumber, notANumber}, {".5", notANumber, notANumber}, {"1.", notANumber, notANumber},
		{"-.5", notANumber, notANumber}, {"1.2.3", notANumber, notANumber}, {"1.-2", notANumber, notANumber}, {" 1", notANumber, notANumber}, {"1 ", notANumber, notANumber},
		{"1\n", notANumber, notANumber}, {"1\x00", notANumber, notANumber}, {"0x10", notANumber, notANumber}, {"0b1", notANumber, notANumber},
		{"1_000", notANumber, notANumber}, {"1,000.00", notANumber, notANumber}, {"1,5", notANumber, notANumber}, {"1.000,00", notANumber, notANumber},
		{"NaN", notANumber, notANumber}, {"nan", notANumber, notANumber}, {"sNaN", notANumber, notANumber}, {"Inf", notANumber, notANumber},
		{"Infinity", notANumber, notANumber}, {"-Infinity", notANumber, notANumber}, {"1p4", notANumber, notANumber}, {"1/2", notANumber, notANumber},
		{"００１", notANumber, notANumber}, {"１", notANumber, notANumber}, {"٣", notANumber, notANumber}, {"1٫5", notANumber, notANumber},
		{"−1", notANumber, notANumber}, {"₺5", notANumber, notANumber}, {"5 TRY", notANumber, notANumber}, {"null", notANumber, notANumber}, {"\xff", notANumber, notANumber},

		// Of whatever length, it costs what MaxTextBytes cost.
		{strings.Repeat("9", 10_000), outOfRange, outOfRange}, {"-" + strings.Repeat("9", 10_000), outOfRange, outOfRange},
		{"0." + strings.Repeat("0", 10_000) + "1", outOfRange, outOfRange}, {strings.Repeat("0", 41), outOfRange, outOfRange},
		{strings.Repeat("0", 39) + "1", "1.00", "1.00"}, {"1e" + strings.Repeat("9", 10_000), outOfRange, outOfRange},
		{strings.Repeat("9", 10_000) + "e-10000", outOfRange, tooPrecise},
	}
	for _, tt := range tests {
		if got := verdict(money.ParseText(tt.text, money.TRY)); got != tt.asText {
			t.Errorf("ParseText(%.40q): %s, want %s", tt.text, got, tt.asText)
		}
		if got := verdict(money.ParseNumber(tt.text, money.TRY)); got != tt.asNumber {
			t.Errorf("ParseNumber(%.40q): %s, want %s", tt.text, got, tt.asNumber)
		}
	}
}

// TestParseOtherCurrencies: the currency says how many decimals are too many.
func TestParseOtherCurrencies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text     string
		currency money.Currency
		want     string
	}{
		{"250", whole, "250"}, {"250.0", whole, "too precise"}, {"2.5e2", whole, "250"},
		{"1.234", thirds, "1.234"}, {"1.2345", thirds, "too precise"},
		{"99999999.999", thirds, "99999999.999"}, {"100000000", thirds, "out of range"},
	}
	for _, tt := range tests {
		if got := verdict(money.ParseNumber(tt.text, tt.currency)); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.text, tt.currency.Code, got, tt.want)
		}
	}
}

// FuzzParseNumber: nothing panics, and what is accepted has exactly the value that was written.
func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"0", "-0", "250.50", "2.5e2", "1e999999999", "1e-400", "0x10", "1_000", "NaN", "+1", ".5", "1.", "００１", "01", strings.Repeat("9", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := money.ParseNumber(text, money.TRY)
		checkExact(t, text, got, err)
		if err != nil {
			return
		}
		again, err := money.ParseNumber(got.String(), money.TRY)
		if err != nil || again != got {
			t.Fatalf("%q was read as %s, which was read as %s, %v", text, got, again, err)
		}
	})
}
