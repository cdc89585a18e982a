// Package note is what staff write about payments, and the receipts that they attach.
package note

import (
	"bytes"
	slash "path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Bounds of notes.
const (
	Max              = 200     // of one payment, with files
	MaxChars         = 2000    // of a text
	MaxFileBytes     = 2 << 20 // of a file
	maxFileNameChars = 100
)

// Audience is who may read a note besides the house.
type Audience string

// Audiences.
const (
	ForHouse  Audience = "house"  // nobody else
	ForDealer Audience = "dealer" // the payment's dealer: what a provider does not see
	ForAll    Audience = "all"    // the payment's dealer and its provider
)

// Audiences lists all audiences.
func Audiences() []Audience { return []Audience{ForHouse, ForDealer, ForAll} }

// Kind says what a note is.
type Kind string

// Kinds of notes.
const (
	Text          Kind = "text"
	Receipt       Kind = "receipt"        // a file, with a text or without
	BankReference Kind = "bank_reference" // under which the bank has what was paid
)

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{Text, Receipt, BankReference} }

// Note is what a member of staff has written about a payment, or a file that they attached. Notes only grow: a wrong one is put right
// by another. What it says is the customer's personal data, and goes with it.
type Note struct {
	ID        core.ID
	PaymentID core.ID
	Number    int // of the payment: 1 is the first
	Kind      Kind
	Audience  Audience
	Text      string
	FileName  string // empty: there is no file
	FileType  string // as its content is, whatever was said
	FileSize  int
	Author    core.Actor
	At        time.Time

	dealerID, providerID int64 // of the payment, for the event
}

// Identity implements Row.
func (n Note) Identity() core.Identity {
	return core.Identity{Table: "notes", Key: string(n.PaymentID) + "/" + strconv.Itoa(n.Number), Version: 1}
}

// Event implements Eventful: whoever looks at the payment sees the note.
func (n Note) Event() core.Event {
	return core.Event{Kind: core.PaymentChanged, ID: n.PaymentID, DealerID: n.dealerID, ProviderID: n.providerID}
}

// HasFile reports whether the note has a file.
func (n Note) HasFile() bool { return n.FileType != "" }

// IsFor reports whether somebody of a scope may read the note, of a payment that they may see.
func (n Note) IsFor(s core.Scope) bool {
	switch {
	case s == (core.Scope{}):
		return true
	case s.ProviderID != 0:
		return n.Audience == ForAll
	default:
		return n.Audience != ForHouse
	}
}

// File is the content of a note's file.
type File struct {
	NoteID    core.ID
	PaymentID core.ID
	Content   []byte
}

// Identity implements Row.
func (f File) Identity() core.Identity {
	return core.Identity{Table: "note_files", Key: string(f.NoteID), Version: 1}
}

// fileTypes are the types that are taken, by how their content begins. Nothing that a browser could run is one.
var fileTypes = []struct{ begins, mediaType string }{
	{"%PDF-", "application/pdf"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"},
}

// FileTypeOf is the type of a file by its content; empty: it is none that is taken.
func FileTypeOf(content []byte) string {
	for _, t := range fileTypes {
		if bytes.HasPrefix(content, []byte(t.begins)) {
			return t.mediaType
		}
	}
	return ""
}

// New is what somebody wants to add to a payment.
type New struct {
	Kind     Kind
	Audience Audience
	Text     string
	FileName string
	Content  []byte // nil: no file
}

// Decide adds a note to a payment that has some already. A dealer's staff write for their dealer or for all; a provider's for all.
// Faults: Invalid (also: the payment has as many as it may have, its customer was forgotten, or the file is none of the types that
// are taken).
func Decide(p payment.Payment, have int, n New, by core.Scope, d payment.Decision) (core.Changeset, Note, error) {
	const op = "note.Decide"
	var form core.Form
	text := form.Text("text", core.Input{Kind: core.TextInput, Text: n.Text}, MaxChars)
	made := Note{
		ID: d.IDs.Next(), PaymentID: p.ID, Number: have + 1, Kind: n.Kind, Audience: n.Audience, Text: text, Author: d.By, At: d.At,
		dealerID: p.DealerID, providerID: p.ProviderID,
	}
	switch {
	case by.ProviderID != 0:
		made.Audience = ForAll
	case made.Audience == "":
		made.Audience = ForDealer
	}
	change := core.Changeset{}
	switch {
	case owner.IsForgotten(p.Customer.UserID): // nothing would be kept of it
		form.Fail("trackingCode", "field.forgotten")
	case have >= Max:
		form.Fail("notes", "field.items", Max)
	case !made.IsFor(by):
		form.Fail("audience", "field.choice", string(ForDealer)+", "+string(ForAll))
	case n.Content == nil && strings.TrimSpace(text) == "":
		form.Fail("text", "field.required")
	case len(n.Content) > MaxFileBytes:
		form.Fail("file", "field.bytes", MaxFileBytes)
	case n.Content != nil:
		made.Kind, made.FileType, made.FileSize = Receipt, FileTypeOf(n.Content), len(n.Content)
		if made.FileType == "" {
			form.Fail("file", "field.file")
		}
		made.FileName = fileName(n.FileName, made.FileType)
		change = append(change, File{NoteID: made.ID, PaymentID: p.ID, Content: n.Content})
	}
	return append(change, made), made, form.Err(op)
}

// fileName is a name that no file system, header or reader takes for anything else; its ending is that of the content.
func fileName(name, mediaType string) string {
	name = slash.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), "\\", "/"))
	name = strings.Map(func(r rune) rune {
		if !core.IsCleanText(string(r)) || strings.ContainsRune(`"*/:<>?|;%`, r) {
			return -1
		}
		return r
	}, strings.TrimSuffix(name, slash.Ext(name)))
	if name = strings.Trim(name, ". "); name == "" {
		name = "receipt"
	}
	for utf8.RuneCountInString(name) > maxFileNameChars {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name + map[string]string{"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg"}[mediaType]
}

// Audit says in an audit row which note was added, and not what is in it: that is the customer's, and may be forgotten.
func Audit(n Note) string {
	return `{"note":"` + string(n.ID) + `","kind":"` + string(n.Kind) + `","audience":"` + string(n.Audience) + `"}`
}
