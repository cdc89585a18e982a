package paytr_test

import (
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/paytr"
)

// vectors are computed by two independent programs: PayTR publishes formulas and a calculator, and no examples.
func vectors() []conformance.Vector {
	const computed = "computed by two independent programs, of the formulas of dev.paytr.com: "
	is := func(name, page, want string, compute func() string) conformance.Vector {
		return conformance.Vector{Name: name, Source: computed + page, Check: func() (string, string) { return compute(), want }}
	}
	return []conformance.Vector{
		is("start", "iframe-api/iframe-api-1-adim", "QnarFkFZkAkQbYue/j4vKkb1amkcpAcPF98Vo5AjE4M=", func() string {
			return paytr.Token("test_key", "123456", "203.0.113.7", "CC1", "a@b.c", "3456", "W1siRGVwb3NpdCIsIjM0LjU2IiwxXV0=", "1", "0", "TL", "1", "test_salt")
		}),
		is("notification", "iframe-api/iframe-api-2-adim", "XuMWFzWqjMCEyhEsxaeDEi/aERP3XRUZdKY4FFT5Nyc=", func() string {
			return paytr.NotificationHash("test_key", "test_salt", "CC1", "success", "3456")
		}),
		is("question", "durum-sorgu", "dCawFbi+XlWeOTopxInuaCNQ0sdGf6xjHGkDxOc8ne0=", func() string {
			return paytr.Token("test_key", "123456", "CC1", "test_salt")
		}),
	}
}
