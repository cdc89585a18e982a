package staff_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

var office = netip.MustParseAddr("198.51.100.7")

func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// from is a request of an address.
func from(addr netip.Addr) appstaff.Origin { return appstaff.Origin{Addr: addr, UserAgent: "Firefox"} }

// tokenOf is the token of a sign-in that took one step.
func tokenOf(s appstaff.SignIn, err error) (string, error) { return s.Token, err }

// serviceOver is the world's desk over another store.
func serviceOver(w *apptest.World, store ports.Staff) *appstaff.Service {
	c := w.Staff.Config
	c.Store = store
	return appstaff.New(c)
}

// tooLong is a wrong password that is refused without being hashed, which takes its time.
var tooLong = strings.Repeat("x", 257)

func TestLoginGivesATokenThatNamesItsMember(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var audit []core.AuditEntry
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		audit = append(audit, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	token, err := tokenOf(w.Staff.Login(t.Context(), " Operator@Vezne.TEST ", apptest.Password, from(office)))
	if err != nil {
		t.Fatal(err)
	}
	member, err := w.Staff.Authenticate(t.Context(), token)
	if err != nil || member.ID != w.Operator.ID || member.Role != staff.Operator {
		t.Errorf("the token's member: %+v %v", member, err)
	}
	if len(audit) != 1 || audit[0].Action != "login" || audit[0].Actor.ID != fmt.Sprint(w.Operator.ID) || audit[0].Actor.Addr != office.String() {
		t.Errorf("audit: %+v", audit)
	}
	again, err := tokenOf(w.Staff.Login(t.Context(), w.Operator.Email, apptest.Password, from(office)))
	if err != nil || again == token {
		t.Errorf("a second session: same token %v, %v", again == token, err)
	}
}

func TestLoginRefusesAllTheSameWay(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	gone := w.Viewer
	gone.Version, gone.IsActive = 2, false
	if err := w.Store.Commit(t.Context(), core.Changeset{gone}); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]struct{ email, password string }{
		"wrong password":    {w.Admin.Email, "correct horse batterz"},
		"other case":        {w.Admin.Email, strings.ToUpper(apptest.Password)},
		"empty password":    {w.Admin.Email, ""},
		"unknown email":     {"nobody@vezne.test", apptest.Password},
		"inactive member":   {w.Viewer.Email, apptest.Password},
		"oversized":         {w.Admin.Email, strings.Repeat("p", 100_000)},
		"oversized email":   {strings.Repeat("e", 100_000), apptest.Password},
		"control character": {"admin@vezne.test\x00", apptest.Password},
		"nothing":           {"", ""},
	} {
		addr := netip.MustParseAddr("192.0.2.1") // nine refusals of one address are within the rate
		token, err := tokenOf(w.Staff.Login(t.Context(), in.email, in.password, from(addr)))
		if !fault.Is(err, fault.BadLogin) || token != "" {
			t.Errorf("%s: token %q, %v", name, token, err)
		}
	}
}

func TestEmailIsLockedOutAfterTenFailuresUntilTheMinutePasses(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	addr := netip.MustParseAddr("192.0.2.1")
	for range 10 {
		_, err := w.Staff.Login(t.Context(), "ADMIN@vezne.test", tooLong, from(addr))
		wantCode(t, err, fault.BadLogin)
		addr = addr.Next() // each from elsewhere: it is the email that fails
	}
	_, err := w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(addr))
	wantCode(t, err, fault.RateLimited)
	if _, err = w.Staff.Login(t.Context(), w.Operator.Email, apptest.Password, from(addr)); err != nil {
		t.Errorf("another email: %v", err)
	}
	w.Clock.Advance(time.Minute - time.Microsecond)
	_, err = w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(addr))
	wantCode(t, err, fault.RateLimited)
	w.Clock.Advance(time.Microsecond)
	if _, err = w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(addr)); err != nil {
		t.Errorf("after the minute: %v", err)
	}
}

func TestSuccessfulLoginsAreNotBounded(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for range 11 {
		if _, err := w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(office)); err != nil {
			t.Fatal(err)
		}
	}
}

// meeting holds everybody who looks for a member until all have come.
type meeting struct {
	ports.Staff
	all *sync.WaitGroup
}

func (m meeting) StaffByEmail(ctx context.Context, email string) (staff.Staff, error) {
	m.all.Done()
	m.all.Wait()
	return m.Staff.StaffByEmail(ctx, email)
}

func TestGuessesMadeAtOnceAreBoundedLikeGuessesInTurn(t *testing.T) {
	t.Parallel()
	const guesses = 13
	w := apptest.New(t)
	var all sync.WaitGroup
	all.Add(guesses)
	service := serviceOver(w, meeting{w.Store, &all})
	codes := make(chan fault.Code, guesses)
	for range guesses {
		go func() {
			_, err := service.Login(t.Context(), w.Admin.Email, "wrong", from(office))
			codes <- fault.CodeOf(err)
		}()
	}
	seen := map[fault.Code]int{}
	for range guesses {
		seen[<-codes]++
	}
	if fmt.Sprint(seen) != "map[BAD_LOGIN:10 RATE_LIMITED:3]" {
		t.Error(seen)
	}
}

// late fails ten times for an email while its right password is being looked at.
type late struct {
	ports.Staff
	meanwhile func()
}

func (l late) StaffByEmail(ctx context.Context, email string) (staff.Staff, error) {
	l.meanwhile()
	return l.Staff.StaffByEmail(ctx, email)
}

func TestRightGuessAmongTooManyIsNotTold(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	service := serviceOver(w, late{w.Store, func() {
		for range 10 {
			_, err := w.Staff.Login(t.Context(), w.Admin.Email, tooLong, from(office))
			wantCode(t, err, fault.BadLogin)
		}
	}})
	token, err := tokenOf(service.Login(t.Context(), w.Admin.Email, apptest.Password, from(office.Next())))
	wantCode(t, err, fault.RateLimited)
	if token != "" {
		t.Error("a token was given")
	}
}

func TestSessionEndsAfterTwelveHours(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	token, err := tokenOf(w.Staff.Login(t.Context(), w.Viewer.Email, apptest.Password, from(office)))
	if err != nil {
		t.Fatal(err)
	}
	for range 11 {
		w.Clock.Advance(time.Hour)
		if _, err = w.Staff.Resume(t.Context(), token, from(office)); err != nil {
			t.Fatalf("within its life: %v", err)
		}
	}
	w.Clock.Advance(time.Hour - time.Microsecond)
	if _, err = w.Staff.Resume(t.Context(), token, from(office)); err != nil {
		t.Errorf("within its life: %v", err)
	}
	w.Clock.Advance(time.Microsecond)
	_, err = w.Staff.Resume(t.Context(), token, from(office))
	wantCode(t, err, fault.Unauthenticated)
}

// What a page or a subscription asks by itself does not count as somebody being there.
func TestAnIdleSessionEndsThoughItsPageGoesOnAsking(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	token, err := tokenOf(w.Staff.Login(t.Context(), w.Viewer.Email, apptest.Password, from(office)))
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if _, err = w.Staff.Authenticate(t.Context(), token); err != nil {
			t.Fatalf("within its time: %v", err)
		}
		w.Clock.Advance(staff.SessionIdle / 4)
	}
	_, err = w.Staff.Authenticate(t.Context(), token)
	wantCode(t, err, fault.Unauthenticated)
}

func TestDeactivatedMemberLosesTheSessionAtOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	token, err := tokenOf(w.Staff.Login(t.Context(), w.Viewer.Email, apptest.Password, from(office)))
	if err != nil {
		t.Fatal(err)
	}
	gone := w.Viewer
	gone.Version, gone.IsActive = 2, false
	if err = w.Store.Commit(t.Context(), core.Changeset{gone}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Staff.Authenticate(t.Context(), token)
	wantCode(t, err, fault.Unauthenticated)
}

func TestUnknownTokensAreUnauthenticated(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, token := range []string{"", "vzg_nobody", strings.Repeat("t", 513), "\xff\x00"} {
		_, err := w.Staff.Authenticate(t.Context(), token)
		wantCode(t, err, fault.Unauthenticated)
	}
}

// silent is a staff directory that is out of reach.
type silent struct{ ports.Staff }

func (silent) StaffByEmail(context.Context, string) (staff.Staff, error) {
	return staff.Staff{}, fault.New("test", fault.Unavailable)
}

func (silent) SessionByFingerprint(context.Context, string) (staff.Session, staff.Staff, error) {
	return staff.Session{}, staff.Staff{}, fault.New("test", fault.Unavailable)
}

func TestStaffStoreOutOfReachIsNoFailedLogin(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	service := serviceOver(w, silent{w.Store})
	for range 11 {
		_, err := service.Login(t.Context(), w.Admin.Email, apptest.Password, from(office))
		wantCode(t, err, fault.Unavailable)
	}
	_, err := service.Authenticate(t.Context(), "vzg_token")
	wantCode(t, err, fault.Unavailable)
	if _, err = w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(office)); err != nil {
		t.Errorf("when it is back: %v", err)
	}
}

func TestLoginWhoseSessionIsNotSavedGivesNoToken(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		return fault.New("test", fault.Unavailable)
	}}
	token, err := tokenOf(w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(office)))
	wantCode(t, err, fault.Unavailable)
	if token != "" {
		t.Errorf("got the token of a session that does not exist")
	}
}

func TestCreateHoldsStaffToTheRules(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	fine := appstaff.NewStaff{Email: "new@vezne.test", Password: "twelve chars", Role: staff.Viewer}
	for name, tt := range map[string]struct {
		change func(*appstaff.NewStaff)
		failed string
	}{
		"no email":              {func(n *appstaff.NewStaff) { n.Email = " " }, "email(field.required)"},
		"not an email":          {func(n *appstaff.NewStaff) { n.Email = "new.vezne.test" }, "email(field.email)"},
		"no name":               {func(n *appstaff.NewStaff) { n.Email = "@vezne.test" }, "email(field.email)"},
		"a dotless i":           {func(n *appstaff.NewStaff) { n.Email = "adm\u0131n@vezne.test" }, "email(field.ascii)"},
		"a Cyrillic a":          {func(n *appstaff.NewStaff) { n.Email = "\u0430dmin@vezne.test" }, "email(field.ascii)"},
		"a space":               {func(n *appstaff.NewStaff) { n.Email = "ad min@vezne.test" }, "email(field.ascii)"},
		"no host":               {func(n *appstaff.NewStaff) { n.Email = "new@" }, "email(field.email)"},
		"control character":     {func(n *appstaff.NewStaff) { n.Email = "ne\x07w@vezne.test" }, "email(field.text)"},
		"endless email":         {func(n *appstaff.NewStaff) { n.Email = strings.Repeat("n", 191) + "@v" }, "email(field.max)"},
		"eleven characters":     {func(n *appstaff.NewStaff) { n.Password = "ğüşiöçıığüş" }, "password(field.length)"},
		"endless password":      {func(n *appstaff.NewStaff) { n.Password = strings.Repeat("p", 257) }, "password(field.length)"},
		"no role":               {func(n *appstaff.NewStaff) { n.Role = "" }, "role(field.choice)"},
		"unknown role":          {func(n *appstaff.NewStaff) { n.Role = "root" }, "role(field.choice)"},
		"dealer role, nowhere":  {func(n *appstaff.NewStaff) { n.Role = staff.DealerStaff }, "dealer(field.dealer)"},
		"viewer with a dealer":  {func(n *appstaff.NewStaff) { n.DealerID = w.Dealer.ID }, "dealer(field.dealer)"},
		"everything at once":    {func(n *appstaff.NewStaff) { *n = appstaff.NewStaff{DealerID: 1} }, "email(field.required) password(field.length) role(field.choice) dealer(field.dealer)"},
		"twelve characters":     {func(*appstaff.NewStaff) {}, ""},
		"the longest password":  {func(n *appstaff.NewStaff) { n.Email, n.Password = "b@v", "a long one: "+strings.Repeat("p", 244) }, ""},
		"a dealer's own member": {func(n *appstaff.NewStaff) { n.Email, n.Role, n.DealerID = "c@v", staff.DealerStaff, w.Dealer.ID }, ""},
	} {
		n := fine
		tt.change(&n)
		member, err := w.Staff.Create(t.Context(), app.BySystem, n)
		var failed []string
		for _, f := range fault.FieldsOf(err) {
			failed = append(failed, f.Name+"("+f.Key+")")
		}
		if got := strings.Join(failed, " "); got != tt.failed || (err == nil) != (tt.failed == "") {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, tt.failed)
		}
		if err != nil {
			continue
		}
		token, err := tokenOf(w.Staff.Login(t.Context(), n.Email, n.Password, from(office)))
		if err != nil {
			t.Errorf("%s: the new member signs in: %v", name, err)
		}
		if who, _ := w.Staff.Authenticate(t.Context(), token); who.ID != member.ID || who.DealerID != n.DealerID {
			t.Errorf("%s: signed in as %+v", name, who)
		}
	}
	_, err := w.Staff.Create(t.Context(), app.BySystem, appstaff.NewStaff{Email: " NEW@vezne.test", Password: "twelve chars", Role: staff.Admin})
	wantCode(t, err, fault.Conflict)
}

func TestCreateOfACallerWhoLeftIsUnavailable(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.Staff.Create(ctx, app.BySystem, appstaff.NewStaff{Email: "new@vezne.test", Password: "twelve chars", Role: staff.Viewer})
	wantCode(t, err, fault.Unavailable)
}

func TestNoRandomnessMeansNoSession(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.UnitOfWork.Random = brokenReader{}
	_, err := w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(office))
	wantCode(t, err, fault.Internal)
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

func TestTokensAndPasswordsAreNowhereInStoreAndLogs(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	const password = "zümrüdüanka kuşu 7"
	var kept strings.Builder
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		everyText(reflect.ValueOf(c), &kept)
		return nil
	}}
	member, err := w.Staff.Create(t.Context(), app.BySystem, appstaff.NewStaff{Email: "new@vezne.test", Password: password, Role: staff.Admin})
	if err != nil {
		t.Fatal(err)
	}
	token, err := tokenOf(w.Staff.Login(t.Context(), member.Email, password, from(office)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Staff.Login(t.Context(), member.Email, password+" typo", from(office)); err == nil || strings.Contains(err.Error(), password) {
		t.Errorf("the fault of a wrong password: %v", err)
	}
	dump := kept.String() + w.Logs.String() + fmt.Sprintf("%v %+v %#v", member, member, member)
	if !strings.Contains(dump, member.Email) || !strings.Contains(dump, "$argon2id$") {
		t.Fatal("the dump has not seen the staff: this test would prove nothing")
	}
	for _, secret := range []string{password, token, strings.TrimPrefix(token, string(core.StaffSessionKey))} {
		if strings.Contains(dump, secret) {
			t.Errorf("%q is kept in the clear", secret)
		}
	}
	if other, err := w.Staff.Create(t.Context(), app.BySystem, appstaff.NewStaff{Email: "b@v", Password: password, Role: staff.Admin}); err != nil || other.PasswordHash == member.PasswordHash {
		t.Errorf("equal passwords have equal hashes: no salt (%v)", err)
	}
}

// everyText writes every string that v holds, exported or not.
func everyText(v reflect.Value, out *strings.Builder) {
	switch v.Kind() {
	case reflect.String:
		out.WriteString(v.String() + "\n")
	case reflect.Pointer, reflect.Interface:
		everyText(v.Elem(), out)
	case reflect.Struct:
		for i := range v.NumField() {
			everyText(v.Field(i), out)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			everyText(v.Index(i), out)
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			everyText(entries.Key(), out)
			everyText(entries.Value(), out)
		}
	}
}
