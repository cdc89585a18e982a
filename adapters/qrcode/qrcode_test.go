package qrcode_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/qrcode"
)

func TestALongerTextIsALargerPicture(t *testing.T) {
	t.Parallel()
	short, err := qrcode.Draw("TR330006100519786457841326")
	if err != nil {
		t.Fatal(err)
	}
	long, err := qrcode.Draw(strings.Repeat("otpauth", 60))
	if err != nil || long.Size <= short.Size || len(long.Path) <= len(short.Path) || !strings.HasPrefix(short.Path, "M") {
		t.Errorf("%d and %d modules, %.20q (%v)", short.Size, long.Size, short.Path, err)
	}
}

func TestWhatNoCodeHolds(t *testing.T) {
	t.Parallel()
	if _, err := qrcode.Draw(strings.Repeat("x", 3000)); err == nil {
		t.Error("3000 letters are drawn")
	}
}
