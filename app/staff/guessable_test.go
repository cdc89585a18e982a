package staff_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestGuessablePasswordsAreRefused tries what is tried first, of a member whose email is known.
func TestGuessablePasswordsAreRefused(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for password, want := range map[string]string{
		"correct hors":             "", // twelve characters
		"correct hor":              "field.length",
		strings.Repeat("ab1 ", 65): "field.length",
		"unfrozen-Kettle-42":       "",
		"çiçekçi dükkânı":          "",
		"q7Xw-k2Lp-9vRt":           "",
		"1234567890123":            "field.guessable",
		"19031907.1905":            "field.guessable",
		"password1234":             "field.guessable",
		"Password2026!":            "field.guessable",
		"P@ssw0rd!!!!":             "field.guessable",
		"Galatasaray1905":          "field.guessable",
		"qwertyuiop12":             "field.guessable",
		"1qaz2wsx3edc":             "field.guessable",
		"aaaaaaaaaaaa":             "field.guessable",
		"passwordpassword":         "field.guessable",
		"unfrozenunfrozen":         "field.guessable",
		"vezne2026!!!!":            "field.guessable",
		"VezneVezne2026":           "field.guessable",
		"ayse.yilmaz1985":          "field.guessable",
		"Yilmaz-Vezne-2026":        "field.guessable",
		"ayse.yilmaz@bank.test":    "field.guessable",
	} {
		_, err := w.Staff.Create(t.Context(), app.BySystem, appstaff.NewStaff{Email: "ayse.yilmaz@bank.test", Password: password, Role: staff.Viewer})
		got := ""
		if fields := fault.FieldsOf(err); len(fields) > 0 {
			got = fields[0].Key
		}
		if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Duplicate) {
			err = nil // an earlier one was taken
		}
		if got != want || (want == "") != (err == nil) {
			t.Errorf("%q: %v, want %q", password, err, want)
		}
	}
}

// TestAnOldPasswordStillSignsIn: what is asked of new passwords is asked of no member who has one.
func TestAnOldPasswordStillSignsIn(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	salt := []byte("0123456789abcdef")
	encoded := base64.RawStdEncoding.EncodeToString
	old := w.Viewer
	old.Version++
	old.PasswordHash = core.NewSecret("$argon2id$v=19$m=19456,t=2,p=1$" + encoded(salt) + "$" +
		encoded(argon2.IDKey([]byte("password"), salt, 2, 19456, 1, 32)))
	if err := w.Store.Commit(t.Context(), core.Changeset{old}); err != nil {
		t.Fatal(err)
	}
	token, err := tokenOf(w.Staff.Login(t.Context(), old.Email, "password", from(office)))
	if err != nil {
		t.Fatal(err)
	}
	me, err := w.Staff.Resume(t.Context(), token, from(office))
	if err != nil {
		t.Fatal(err)
	}
	err = w.Staff.ChangePassword(t.Context(), me, "password")
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("changing it to the same: %v", err)
	}
	err = w.Staff.ChangePassword(t.Context(), me, "viewer-viewer-1")
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("changing it to the email: %v", err)
	}
}
