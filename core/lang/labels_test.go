package lang_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core/lang"
)

// TestLabelsAreInEveryLanguage: and say nothing to be filled in.
func TestLabelsAreInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, key := range lang.Labels() {
		enum, value, _ := strings.Cut(key, ".")
		for _, tag := range lang.Tags() {
			if label, ok := lang.Label(tag, enum, value); !ok || strings.TrimSpace(label) == "" || strings.Contains(label, "%") {
				t.Errorf("%s is %q in %s", key, label, tag)
			}
		}
	}
}

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
