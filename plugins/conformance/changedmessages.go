package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

// change is a message that somebody could make of a right one.
type change struct {
	what string
	in   gateway.Inbound
}

// neverBelieved checks that changed messages cause no panic, and that none is believed.
func neverBelieved(changes func(in gateway.Inbound) []change) func(w *world) {
	return func(w *world) {
		in, right := w.signedNotification()
		for _, c := range changes(in) {
			if !w.isHarmless(c.what, c.in, right) {
				return
			}
		}
	}
}

// maxPlaces bounds in how many places a message is changed, one at a time.
const maxPlaces = 400

// spread returns at most maxPlaces places of n, evenly.
func spread(n int) []int {
	var places []int
	for i := 0; i < n; i += max(1, (n+maxPlaces-1)/maxPlaces) {
		places = append(places, i)
	}
	return places
}

// changedBodies changes the body: what it says, how it is written, or what a careless reader would take in addition.
// Each is tried with the signature of the right message, and with none.
func changedBodies(in gateway.Inbound) []change {
	var list []change
	add := func(what string, parts ...string) {
		changed := in
		changed.Body = []byte(strings.Join(parts, ""))
		list = append(list, change{what, changed})
		changed.Header = contentType(in.Header)
		list = append(list, change{what + " and without a signature", changed})
	}
	body := string(in.Body)
	for _, i := range spread(len(body)) {
		for _, bit := range []byte{0x01, 0x20, 0x80} {
			flipped := string([]byte{body[i] ^ bit})
			add(fmt.Sprintf("byte %d of its body changed from %q to %q", i, body[i:i+1], flipped), body[:i], flipped, body[i+1:])
		}
		add(fmt.Sprintf("its body cut after byte %d", i), body[:i])
		add(fmt.Sprintf("byte %d of its body left out", i), body[:i], body[i+1:])
		add(fmt.Sprintf("its body broken after byte %d", i), body[:i], `":{[null,-1e9,"`, body[i:])
	}
	add("blanks around its body", " ", body, "\n")
	add("its body twice", body, body)
	add("form fields added to its body", body, "&", claims)
	if text := strings.TrimSpace(body); json.Valid(in.Body) && len(text) > 2 && text[0] == '{' {
		const extra = `"status":"success","state":"paid","amount":"1.00","currency":"USD"`
		var indented bytes.Buffer
		if json.Indent(&indented, in.Body, "", "  ") == nil {
			add("its body written anew", indented.String())
		}
		add("fields twice, the false ones first", "{", extra, ",", text[1:])
		add("fields twice, the false ones last", text[:len(text)-1], ",", extra, "}")
	}
	return list
}

func isContentType(f gateway.Field) bool { return strings.EqualFold(f.Name, "Content-Type") }

// contentType is the headers without those that may have a signature.
func contentType(h gateway.Header) gateway.Header {
	return slices.DeleteFunc(slices.Clone(h), func(f gateway.Field) bool { return !isContentType(f) })
}

// withHeader is the headers with values in place of one of them: none takes it out.
func withHeader(h gateway.Header, i int, values ...string) gateway.Header {
	changed := slices.Clone(h[:i])
	for _, v := range values {
		changed = append(changed, gateway.Field{Name: h[i].Name, Value: v})
	}
	return append(changed, h[i+1:]...)
}

// changedHeaders changes the method and the headers.
func changedHeaders(in gateway.Inbound) []change {
	var list []change
	for _, method := range []string{"GET", "PUT", "DELETE", "", "POST\r\n"} {
		changed := in
		changed.Method = method
		list = append(list, change{fmt.Sprintf("the method %q", method), changed})
	}
	for h, f := range in.Header {
		values := []string{strings.ToUpper(f.Value), strings.ToLower(f.Value)}
		if isContentType(f) {
			values = append(values, "", "text/html", "application/xml", "multipart/form-data; boundary=x", "\xff")
		}
		for _, i := range spread(len(f.Value)) {
			values = append(values, f.Value[:i]+string([]byte{f.Value[i] ^ 0x01})+f.Value[i+1:])
		}
		for _, value := range values {
			changed := in
			changed.Header = withHeader(in.Header, h, value)
			list = append(list, change{fmt.Sprintf("the header %s changed to %q", f.Name, value), changed})
		}
	}
	return list
}

// hostileBodies has bodies that no gateway sends.
func hostileBodies(in gateway.Inbound) []change {
	var list []change
	for what, body := range map[string]string{
		"nothing":               "",
		"a blank":               " ",
		"a megabyte of letters": strings.Repeat("a", 1<<20),
		"a megabyte of JSON":    `{"a":"` + strings.Repeat("b", 1<<20) + `"}`,
		"deep arrays":           strings.Repeat("[", 100_000),
		"deep objects":          strings.Repeat(`{"a":`, 50_000) + "1" + strings.Repeat("}", 50_000),
		"an array":              `[]`,
		"an array of nulls":     `[null,null]`,
		"null":                  `null`,
		"a number":              `1e999999999`,
		"an empty object":       `{}`,
		"objects for texts":     `{"id":{},"status":{},"amount":{},"type":[],"data":null,"payment":7}`,
		"numbers for texts":     `{"id":1,"status":2,"amount":1e400,"currency":3,"type":4,"data":5}`,
		"broken UTF-8":          "{\"id\":\"\xff\xfe\",\"status\":\"\xc3\x28\"}",
		"NUL bytes":             "{\"id\":\"a\\u0000b\",\"status\":\"\x00\"}",
		"half an object":        `{"id":"1","status":`,
		"a form":                claims,
		"a broken form":         "%zz=%1&&=&;",
		"XML":                   `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
	} {
		changed := in
		changed.Body = []byte(body)
		list = append(list, change{"the body " + what, changed})
		changed.Header = nil
		list = append(list, change{"no headers and the body " + what, changed})
		changed.Query = joined(changed.Query, "%zz=;&"+claims)
		list = append(list, change{"a broken query and the body " + what, changed})
	}
	return list
}
