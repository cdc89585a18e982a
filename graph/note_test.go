package graph_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

const (
	addNote = `mutation($code: String!, $text: String!, $for: NoteAudience) {
		addNote(input: {trackingCode: $code, text: $text, audience: $for}) { transaction { trackingCode } } }`
	notesOf = `query($code: String!) { transaction(trackingCode: $code) {
		notes { id number kind audience text file { name type size } author { name } } } }`
)

// shownNote is a note as it is answered.
type shownNote struct {
	ID, Kind, Audience, Text string
	Number                   int
	File                     *struct {
		Name, Type string
		Size       int
	}
}

func (a *api) notes(t *testing.T, role staff.Role, code string) []shownNote {
	t.Helper()
	var shown []shownNote
	a.as(t, role, notesOf, vars{"code": code}).into(t, "transaction.notes", &shown)
	return shown
}

func textsIn(notes []shownNote) (texts []string) {
	for _, n := range notes {
		texts = append(texts, n.Text)
	}
	return texts
}

// TestNotesAreForWhomTheySay: a dealer does not read the house's, a provider reads what is for all, and nobody makes a note more secret
// than they may read it.
func TestNotesAreForWhomTheySay(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000))
	for _, n := range []struct {
		role                staff.Role
		text, forWhom, want string
	}{
		{staff.Operator, "house", "HOUSE", ""}, {staff.Support, "both", "DEALER", ""}, {staff.DealerStaff, "theirs", "DEALER", ""},
		{staff.Finance, "everybody", "ALL", ""}, {staff.DealerStaff, "hidden", "HOUSE", "INVALID"},
		{staff.Viewer, "no", "ALL", "FORBIDDEN"}, {staff.ProviderStaff, "no", "ALL", "FORBIDDEN"}, {staff.Operator, "  ", "ALL", "INVALID"},
		{staff.Operator, strings.Repeat("ğ", payment.MaxNoteChars+1), "ALL", "INVALID"},
	} {
		if got := a.as(t, n.role, addNote, vars{"code": p.TrackingCode, "text": n.text, "for": n.forWhom}); got.code() != n.want {
			t.Errorf("%q by %s: %s", n.text[:2], n.role, got.Raw)
		}
	}
	for role, want := range map[staff.Role][]string{
		staff.Viewer: {"house", "both", "theirs", "everybody"}, staff.DealerStaff: {"both", "theirs", "everybody"},
		staff.ProviderStaff: {"everybody"},
	} {
		if got := textsIn(a.notes(t, role, p.TrackingCode)); !slices.Equal(got, want) {
			t.Errorf("%s reads %q, want %q", role, got, want)
		}
	}
	other := a.Start(t, payment.Request{Method: payment.ManualWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
	if got := a.as(t, staff.DealerStaff, addNote, vars{"code": other.TrackingCode, "text": "x"}); got.code() != "NOT_FOUND" {
		t.Errorf("another dealer's: %s", got.Raw)
	}
}

// TestACompletionNamesItsBankReference in the same commit, for the provider as well; one that is refused leaves none.
func TestACompletionNamesItsBankReference(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000))
	done := `mutation($code: String!) { completeWithdrawal(input: {trackingCode: $code, bankReference: " FAST-42 "}) { transaction { status } } }`
	if got := a.as(t, staff.DealerStaff, done, vars{"code": p.TrackingCode}); got.code() != "NOT_CLAIMED" {
		t.Fatal(got.Raw)
	}
	if got := a.notes(t, staff.Operator, p.TrackingCode); len(got) != 0 {
		t.Errorf("a refused completion left %+v", got)
	}
	a.as(t, staff.DealerStaff, claimWithdrawal, vars{"code": p.TrackingCode})
	if got := a.as(t, staff.DealerStaff, done, vars{"code": p.TrackingCode}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	got := a.notes(t, staff.ProviderStaff, p.TrackingCode)
	if len(got) != 1 || got[0].Kind != "BANK_REFERENCE" || got[0].Text != "FAST-42" {
		t.Errorf("the provider reads %+v", got)
	}
}

// upload is a request that attaches a file.
func upload(t *testing.T, code, token, name string, content []byte, audience string) *http.Request {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("audience", audience); err != nil {
		t.Fatal(err)
	}
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, graph.FilesPath+"/"+code, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

func (a *api) files(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	a.Handler.(*graph.Endpoint).Files().ServeHTTP(w, r)
	return w
}

// meanwhile has something happen once the first half of a body was read.
type meanwhile struct {
	first, rest io.Reader
	happens     func()
}

func (m *meanwhile) Read(p []byte) (int, error) {
	n, err := m.first.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if m.happens != nil {
		m.happens()
		m.happens = nil
	}
	return m.rest.Read(p)
}

// TestAnUploadIsJudgedWhenItHasCome: whoever loses their rights while a file is on its way attaches none.
func TestAnUploadIsJudgedWhenItHasCome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(a *api) staff.Staff
		want   int
	}{
		"demoted": {func(a *api) staff.Staff { m := a.Operator; m.Role = staff.Viewer; return m }, http.StatusForbidden},
		"moved": {func(a *api) staff.Staff {
			m := a.Operator
			m.Role, m.DealerID = staff.DealerStaff, a.OtherSite.DealerID
			return m
		}, http.StatusNotFound},
		"let go": {func(a *api) staff.Staff { m := a.Operator; m.IsActive = false; return m }, http.StatusUnauthorized},
	} {
		a := newAPI(t)
		p := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000))
		r := upload(t, p.TrackingCode, a.tokens[staff.Operator], "receipt.pdf", append([]byte("%PDF-"), make([]byte, 9000)...), "dealer")
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		r.Body = io.NopCloser(&meanwhile{bytes.NewReader(body[:4000]), bytes.NewReader(body[4000:]), func() {
			m := c.change(a)
			m.Version++
			a.save(t, m)
		}})
		if got := a.files(r); got.Code != c.want {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
		if got := a.notes(t, staff.Admin, p.TrackingCode); len(got) != 0 {
			t.Errorf("%s: it left %+v", name, got)
		}
	}
}

// TestAReceiptIsAFileAndNothingElse: what it is shows its content, whatever it says; nobody gets another tenant's; no browser shows it.
func TestAReceiptIsAFileAndNothingElse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000))
	pdf := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte{1, 2, 3, 0}, 1000)...)
	dealer := a.tokens[staff.DealerStaff]
	for name, c := range map[string]struct {
		name    string
		content []byte
		token   string
		want    int
	}{
		"HTML":                 {"receipt.pdf", []byte("<html><script>alert(1)</script>"), dealer, http.StatusBadRequest},
		"SVG":                  {"receipt.png", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), dealer, http.StatusBadRequest},
		"HTML behind a space":  {"receipt.pdf", []byte(" %PDF-<script>"), dealer, http.StatusBadRequest},
		"nothing":              {"receipt.pdf", nil, dealer, http.StatusBadRequest},
		"too large":            {"receipt.pdf", append([]byte("%PDF-"), make([]byte, payment.MaxNoteFileBytes)...), dealer, http.StatusBadRequest},
		"far too large":        {"receipt.pdf", append([]byte("%PDF-"), make([]byte, 2*payment.MaxNoteFileBytes)...), dealer, http.StatusRequestEntityTooLarge},
		"by nobody":            {"receipt.pdf", pdf, "", http.StatusUnauthorized},
		"by who may not write": {"receipt.pdf", pdf, a.tokens[staff.Viewer], http.StatusForbidden},
		"by a provider":        {"receipt.pdf", pdf, a.tokens[staff.ProviderStaff], http.StatusForbidden},
	} {
		if got := a.files(upload(t, p.TrackingCode, c.token, c.name, c.content, "dealer")); got.Code != c.want {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	cross := upload(t, p.TrackingCode, dealer, "receipt.pdf", pdf, "dealer")
	cross.Header.Set("Sec-Fetch-Site", "cross-site")
	if got := a.files(cross); got.Code != http.StatusForbidden {
		t.Errorf("by another site: %d %s", got.Code, got.Body)
	}
	if got := a.notes(t, staff.Operator, p.TrackingCode); len(got) != 0 {
		t.Fatalf("what was refused left %+v", got)
	}
	if got := a.files(upload(t, p.TrackingCode, dealer, "..\\..\\dekont\r\nX: y.html", pdf, "dealer")); got.Code != http.StatusCreated {
		t.Fatalf("%d %s", got.Code, got.Body)
	}
	notes := a.notes(t, staff.Operator, p.TrackingCode)
	if len(notes) != 1 || notes[0].Kind != "RECEIPT" || notes[0].File == nil || notes[0].File.Type != "application/pdf" ||
		notes[0].File.Size != len(pdf) || !strings.HasSuffix(notes[0].File.Name, ".pdf") || strings.ContainsAny(notes[0].File.Name, "\r\n\\/:\"") {
		t.Fatalf("got %+v", notes)
	}
	get := func(code, note, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, graph.FilesPath+"/"+code+"/"+note, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		return a.files(r)
	}
	got := get(p.TrackingCode, notes[0].ID, dealer)
	h := got.Header()
	if got.Code != http.StatusOK || !bytes.Equal(got.Body.Bytes(), pdf) || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment;") ||
		h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") ||
		h.Get("Content-Type") != "application/pdf" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("the file came as %d %v", got.Code, h)
	}
	other := a.Start(t, payment.Request{Method: payment.ManualWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
	foreign := a.files(upload(t, other.TrackingCode, a.tokens[staff.Operator], "their.pdf", pdf, "dealer"))
	if foreign.Code != http.StatusCreated {
		t.Fatal(foreign.Body)
	}
	theirs := a.notes(t, staff.Operator, other.TrackingCode)[0].ID
	for name, c := range map[string]struct{ code, note, token string }{
		"another dealer's":                 {other.TrackingCode, theirs, dealer},
		"another dealer's under one's own": {p.TrackingCode, theirs, dealer},
		"a dealer's by the provider":       {p.TrackingCode, notes[0].ID, a.tokens[staff.ProviderStaff]},
		"none":                             {p.TrackingCode, "01KKNTQ2CN0000000000000000", dealer},
		"no id":                            {p.TrackingCode, "x", dealer},
	} {
		if got := get(c.code, c.note, c.token); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	if got := get(p.TrackingCode, notes[0].ID, "x"); got.Code != http.StatusUnauthorized {
		t.Errorf("by nobody: %d", got.Code)
	}
}
