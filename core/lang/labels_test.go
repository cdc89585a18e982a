package lang_test

import (
	"testing"

	"github.com/vezne/vezne/core/lang"
)

// TestLabels: the words of the enums that there are. That every value has one the schema's tests see.
func TestLabels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tag         lang.Tag
		enum, value string
		want        string
		ok          bool
	}{
		{lang.TR, "TransactionStatus", "COMPLETED", "Tamamlandı", true},
		{lang.EN, "TransactionStatus", "COMPLETED", "Completed", true},
		{"de", "TransactionStatus", "COMPLETED", "Tamamlandı", true},
		{lang.TR, "ExportColumn", "TRACKING_CODE", "İşlem kodu", true},
		{lang.EN, "ExportColumn", "NONE", "", false},
		{lang.EN, "TransactionStatus", "NONE", "", false},
		{lang.EN, "None", "COMPLETED", "", false},
	} {
		if got, ok := lang.Label(tt.tag, tt.enum, tt.value); got != tt.want || ok != tt.ok {
			t.Errorf("Label(%q, %q, %q) = %q, %t", tt.tag, tt.enum, tt.value, got, ok)
		}
	}
}
