package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"testing"
)

// Note is what staff have written about a transaction.
type Note struct {
	ID, Text string
	File     *struct{ Name string }
}

// Notes are those of a transaction.
func (s Staff) Notes(t testing.TB, code string) []Note {
	t.Helper()
	var data struct{ Transaction struct{ Notes []Note } }
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) { notes { id text file { name } } } }`,
		map[string]any{"code": code}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Transaction.Notes
}

// AddNote adds a note to a transaction.
func (s Staff) AddNote(code, text string) error {
	var data any
	return s.Ask(`mutation($code: String!, $text: String!) { addNote(input: {trackingCode: $code, text: $text}) { __typename } }`,
		map[string]any{"code": code, "text": text}, &data)
}

// Attach attaches a file to a transaction, with a text. The id is the note's; empty: it was not taken.
func (s Staff) Attach(t testing.TB, code, text, name string, content []byte) (id string, a Answer) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("text", text); err != nil {
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
	a = s.files(t, http.MethodPost, code, form.FormDataContentType(), &body)
	var made struct{ Note struct{ ID string } }
	_ = json.Unmarshal(a.Body, &made)
	return made.Note.ID, a
}

// Receipt is the file of a note of a transaction.
func (s Staff) Receipt(t testing.TB, code, note string) Answer {
	t.Helper()
	return s.files(t, http.MethodGet, code+"/"+note, "", &bytes.Buffer{})
}

func (s Staff) files(t testing.TB, method, path, mediaType string, body *bytes.Buffer) Answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, s.Base+"/graphql/files/"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	a, err := Send(r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
