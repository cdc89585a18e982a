package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func signatureCases(s suite) []testCase {
	var list []testCase
	for _, v := range s.Vectors {
		list = append(list, testCase{fmt.Sprintf("the vector %q comes out as published", v.Name), func(w *world) {
			got, want := v.Check()
			w.check(got == want, "computed %q, and published is %q", got, want)
		}})
	}
	if s.d.Notify == nil {
		return list
	}
	list = append(list, testCase{"a notification is trusted as the descriptor says, and no more", trustIsAsPromised})
	if s.d.Notify.Trust >= gateway.SharedSecret {
		list = append(list,
			testCase{"a notification signed with another account's secrets is not believed", otherSecrets},
			testCase{"where no secret is set nothing is signed", noSecret})
	}
	if slices.ContainsFunc(s.d.Config, func(f gateway.ConfigField) bool { return f.IsRotating }) {
		list = append(list, testCase{"the secret before the last change is taken beside the new one", takesPrevious})
	}
	if s.d.Notify.Trust >= gateway.Signed {
		list = append(list,
			testCase{"a changed byte of the body is never believed", bodyIsCovered},
			testCase{"a changed byte of a header is never believed", headersAreCovered},
			testCase{"a body that was written anew says nothing new", rewrittenBody},
			testCase{"a signature that is missing, empty, cut or doubled is refused", damagedSignature})
	}
	if s.StaleAfter > 0 {
		list = append(list, testCase{"a notification that is too old is refused", staleIsRefused})
	}
	return list
}

func trustIsAsPromised(w *world) {
	_, n := w.signedNotification()
	w.check(trustOf(n) == w.d.Notify.Trust,
		"a right notification is trusted as %q, and Notify.Trust promises %q: a signature that does not cover reference, "+
			"state, amount and currency makes a hint", trustOf(n), w.d.Notify.Trust)
}

// maxFlips bounds how many bytes of a message are changed, one at a time.
const maxFlips = 400

// spread returns at most maxFlips places of n, evenly.
func spread(n int) []int {
	var places []int
	for i := 0; i < n; i += max(1, (n+maxFlips-1)/maxFlips) {
		places = append(places, i)
	}
	return places
}

func bodyIsCovered(w *world) {
	in, right := w.signedNotification()
	for _, i := range spread(len(in.Body)) {
		for _, bit := range []byte{0x01, 0x20, 0x80} {
			changed, unsigned := in, in
			changed.Body = bytes.Clone(in.Body)
			changed.Body[i] ^= bit
			unsigned.Body, unsigned.Header = changed.Body, contentType(in.Header)
			change := fmt.Sprintf("byte %d of its body changed from %q to %q", i, in.Body[i], changed.Body[i])
			if !w.isHarmless(change, changed, right) || !w.isHarmless("no signature and "+change, unsigned, right) {
				return
			}
		}
	}
}

// contentType are the headers without those that may have a signature.
func contentType(h gateway.Header) gateway.Header {
	return slices.DeleteFunc(slices.Clone(h), func(f gateway.Field) bool { return !strings.EqualFold(f.Name, "Content-Type") })
}

func headersAreCovered(w *world) {
	in, right := w.signedNotification()
	for h, f := range in.Header {
		for _, value := range []string{strings.ToUpper(f.Value), strings.ToLower(f.Value)} {
			changed := in
			changed.Header = withHeader(in.Header, h, value)
			w.isHarmless("the header "+f.Name+" in letters of one case", changed, right)
		}
		for _, i := range spread(len(f.Value)) {
			changed := in
			value := []byte(f.Value)
			value[i] ^= 0x01
			changed.Header = withHeader(in.Header, h, string(value))
			if !w.isHarmless(fmt.Sprintf("byte %d of the header %s changed", i, f.Name), changed, right) {
				return
			}
		}
	}
}

// withHeader is the headers with values in place of one of them: none takes it out.
func withHeader(h gateway.Header, i int, values ...string) gateway.Header {
	changed := slices.Clone(h[:i])
	for _, v := range values {
		changed = append(changed, gateway.Field{Name: h[i].Name, Value: v})
	}
	return append(changed, h[i+1:]...)
}

func rewrittenBody(w *world) {
	in, right := w.signedNotification()
	for how, rewrite := range rewritings() {
		if body, ok := rewrite(in.Body); ok {
			changed := in
			changed.Body = body
			w.isHarmless("a body "+how, changed, right)
		}
	}
}

// rewritings change a message without a change of its meaning, or add to it what a careless reader would take.
func rewritings() map[string]func(body []byte) ([]byte, bool) {
	inJSON := func(change func(object string) string) func([]byte) ([]byte, bool) {
		return func(body []byte) ([]byte, bool) {
			text := strings.TrimSpace(string(body))
			isObject := json.Valid(body) && len(text) > 2 && text[0] == '{'
			return []byte(change(text)), isObject
		}
	}
	const extra = `"status":"success","state":"paid","amount":"1.00","currency":"USD"`
	return map[string]func(body []byte) ([]byte, bool){
		"with blanks around it": func(body []byte) ([]byte, bool) { return slices.Concat([]byte(" "), body, []byte("\n")), true },
		"that comes twice":      func(body []byte) ([]byte, bool) { return slices.Concat(body, body), true },
		"written anew": func(body []byte) ([]byte, bool) {
			var b bytes.Buffer
			err := json.Indent(&b, body, "", "  ")
			return b.Bytes(), err == nil
		},
		"with fields twice, the false ones first": inJSON(func(o string) string { return "{" + extra + "," + o[1:] }),
		"with fields twice, the false ones last":  inJSON(func(o string) string { return o[:len(o)-1] + "," + extra + "}" }),
		"with form fields added": func(body []byte) ([]byte, bool) {
			return slices.Concat(body, []byte("&"+claims)), true
		},
	}
}

// signatureHeaders are those without which a notification is worth less, but for the content type.
func (w *world) signatureHeaders(in gateway.Inbound, right gateway.Trust) []int {
	var all []int
	for i, f := range in.Header {
		without := in
		without.Header = withHeader(in.Header, i)
		if !strings.EqualFold(f.Name, "Content-Type") && w.losesTrust(without, right) {
			all = append(all, i)
		}
	}
	return all
}

func damagedSignature(w *world) {
	in, n := w.signedNotification()
	right := trustOf(n)
	bare := in
	bare.Header = nil
	if !w.losesTrust(bare, right) {
		w.check(len(in.Body) > 0, "a notification without headers and body is trusted as %q", right)
		return // the signature is in the body, every byte of which is tried elsewhere
	}
	for _, i := range w.signatureHeaders(in, right) {
		name, value := in.Header[i].Name, in.Header[i].Value
		wrong := strings.Repeat("0", len(value))
		for how, values := range map[string][]string{
			"an empty": {""}, "a blank": {" "}, "a cut": {value[:len(value)/2]}, "a lengthened": {value + "0"},
			"a doubled": {value, value}, "a right and a wrong": {value, wrong}, "a wrong and a right": {wrong, value},
			"a joined": {value + "," + wrong},
		} {
			changed := in
			changed.Header = withHeader(in.Header, i, values...)
			w.isLessTrusted(how+" "+name+" header", changed, right)
		}
	}
}

// another is a value of a secret of the same form: one of its letters or digits, from the middle on, is its neighbor.
// It is empty where none will do.
func another(f gateway.ConfigField, value string) string {
	for i := range value {
		at := (len(value)/2 + i) % len(value)
		letters := []byte(value)
		switch c := letters[at]; {
		case c == '0' || c == 'a' || c == 'A':
			letters[at]++
		case c > '0' && c <= '9' || c > 'a' && c <= 'z' || c > 'A' && c <= 'Z':
			letters[at]--
		default:
			continue
		}
		if problem, _ := f.Problem(string(letters)); problem == "" {
			return string(letters)
		}
	}
	return ""
}

// otherSecrets reads a right notification with a gateway all of whose secrets differ.
func otherSecrets(w *world) {
	in, n := w.signedNotification()
	values := maps.Clone(w.values)
	for _, f := range w.d.Config {
		if f.Type != gateway.SecretField || values[f.Name] == "" {
			continue
		}
		if other := another(f, values[f.Name]); other != "" {
			values[f.Name] = other
		}
	}
	other := w.on(w.open(gateway.NewConfig(w.d.Config, values, nil), noCalls{w}))
	other.isLessTrusted("another account's signature", in, trustOf(n))
}

func takesPrevious(w *world) {
	in, n := w.signedNotification()
	right := trustOf(n)
	for _, f := range w.d.Config {
		old := w.values[f.Name]
		if !f.IsRotating || old == "" {
			continue
		}
		values := maps.Clone(w.values)
		if values[f.Name] = another(f, old); values[f.Name] == "" {
			w.t.Fatalf("no letter of %q can be changed: the Pattern is too narrow", f.Name)
		}
		previous := map[string]string{f.Name: old}
		rotated := w.on(w.open(gateway.NewConfig(w.d.Config, values, previous), noCalls{w}))
		got, err := rotated.readNotification(in)
		w.check(err == nil && trustOf(got) == right,
			"%q rotates, and a notification signed with the value before the change is not taken (%v): try each of "+
				"Config.Secrets(%q)", f.Name, err, f.Name)
		w.check(maps.Equal(facts(got), facts(n)) || err != nil,
			"a notification signed with the value before the change reports something else")
		changed := w.on(w.open(gateway.NewConfig(w.d.Config, values, nil), noCalls{w}))
		changed.isLessTrusted("the signature of a secret that is gone", in, right)
	}
}

// noSecret opens the subject without one of the secrets that may be missing: nobody's signature is right then, not even
// one made with an empty secret.
func noSecret(w *world) {
	for _, f := range w.d.Config {
		if f.Type != gateway.SecretField || f.IsRequired || w.values[f.Name] == "" {
			continue
		}
		values := maps.Clone(w.values)
		delete(values, f.Name)
		bare := newWorldWith(w.t, w.Subject, values, "E")
		defer bare.finish()
		ref, ok := bare.tryFinalOrder()
		if !ok {
			continue // the gateway does not work without it
		}
		if in, ok := bare.notificationOf(ref); ok && !bare.losesTrust(in, gateway.SharedSecret) && f.IsRotating {
			w.t.Errorf("%q is not set, and a notification signed with nothing is believed: without a secret it is a hint", f.Name)
		}
	}
}

// tryFinalOrder is finalOrder where a failure is nobody's fault.
func (w *world) tryFinalOrder() (gateway.Ref, bool) {
	t := w.orderTypes()[0]
	o := t.newOrder(w, t.usual)
	_, err := o.send(w)
	return o.ref, err == nil && w.fake.Set(o.ref, t.final)
}

func staleIsRefused(w *world) {
	in, n := w.signedNotification()
	w.clock.advance(w.StaleAfter - time.Second)
	in.Arrived = w.clock.Now()
	_, err := w.readNotification(in)
	w.check(err == nil, "a notification that is %s old is refused, and Subject.StaleAfter is %s: %v",
		w.StaleAfter-time.Second, w.StaleAfter, err)
	w.clock.advance(time.Minute)
	in.Arrived = w.clock.Now()
	w.isLessTrusted(fmt.Sprintf("an age of more than %s", w.StaleAfter), in, trustOf(n))
}
