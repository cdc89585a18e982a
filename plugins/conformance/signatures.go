package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func signatureCases(s suite) []testCase {
	var vectors []testCase
	for _, v := range s.Vectors {
		vectors = append(vectors, testCase{fmt.Sprintf("the vector %q comes out as published", v.Name), func(w *world) {
			got, want := v.Check()
			w.check(got == want, "computed %q, and published is %q", got, want)
		}})
	}
	if s.d.Notify == nil {
		return vectors
	}
	trust, isRotating := s.d.Notify.Trust, func(f gateway.ConfigField) bool { return f.IsRotating }
	return slices.Concat(vectors,
		[]testCase{{"a notification is trusted as the descriptor says, and no more", trustIsAsPromised}},
		[]testCase{{"what the gateway signs is checked, whatever it is trusted for", signatureIsChecked}},
		when(trust >= gateway.SharedSecret,
			testCase{"a notification signed with another account's secrets is not believed", otherSecrets},
			testCase{"where no secret is set nothing is signed", noSecret},
			testCase{"a notification that is signed with an empty secret is refused", emptySecret}),
		when(slices.ContainsFunc(s.d.Config, isRotating),
			testCase{"the secret before the last change is taken beside the new one", takesPrevious}),
		when(trust >= gateway.Signed,
			testCase{"a signature that is missing, empty, cut or doubled is refused", damagedSignature}),
		when(s.StaleAfter > 0, testCase{"a notification that is too old is refused", staleIsRefused}))
}

func trustIsAsPromised(w *world) {
	_, n := w.signedNotification()
	w.check(trustOf(n) == w.d.Notify.Trust,
		"a right notification is trusted as %q, and Notify.Trust promises %q: report only what the signature covers "+
			"(without the amount: Processing, and no Paid), and promise what the best of them has", trustOf(n), w.d.Notify.Trust)
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
	for i, f := range in.Header {
		name, value := f.Name, f.Value
		without := in
		without.Header = withHeader(in.Header, i)
		if isContentType(f) || !w.losesTrust(without, right) {
			continue // it is no signature
		}
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
		values := w.with(f.Name, another(f, old))
		if values[f.Name] == "" {
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
	t := w.orderTypes()[0]
	for _, f := range w.d.Config {
		if f.Type != gateway.SecretField || f.IsRequired || w.values[f.Name] == "" {
			continue
		}
		bare := newWorldWith(w.t, w.Subject, w.without(f.Name), "E")
		defer bare.finish()
		o := t.newOrder(bare, t.usual)
		if _, err := o.send(bare); err != nil || !bare.fake.Set(o.ref, t.final) {
			continue // the gateway does not work without it
		}
		if in, ok := bare.notificationOf(o.ref); ok && !bare.losesTrust(in, gateway.SharedSecret) && f.IsRotating {
			w.t.Errorf("%q is not set, and a notification signed with nothing is believed: without a secret it is a hint", f.Name)
		}
	}
}

// emptySecret has a fake without the secret of notifications sign one: that is what anybody can do.
func emptySecret(w *world) {
	t := w.orderTypes()[0]
	_, right := w.signedNotification()
	for _, f := range w.d.Config {
		if !f.IsRotating || w.values[f.Name] == "" {
			continue
		}
		forger := *w
		forger.fake = w.NewFake(w.t, gateway.NewConfig(w.d.Config, w.without(f.Name), nil), w.clock.Now)
		forger.transport = newTransport(&forger)
		forger.gateway = forger.open(w.config, forger.transport)
		o := t.newOrder(&forger, t.usual)
		if _, err := o.send(&forger); err != nil || !forger.fake.Set(o.ref, t.final) {
			continue // requests need the same secret
		}
		if in, ok := forger.notificationOf(o.ref); ok {
			forger.isLessTrusted("the signature of an empty secret", in, trustOf(right))
		}
	}
}

func staleIsRefused(w *world) {
	in, n := w.signedNotification()
	w.clock.Advance(w.StaleAfter - time.Second)
	in.Arrived = w.clock.Now()
	_, err := w.readNotification(in)
	w.check(err == nil, "a notification that is %s old is refused, and Subject.StaleAfter is %s: %v",
		w.StaleAfter-time.Second, w.StaleAfter, err)
	w.clock.Advance(time.Minute)
	in.Arrived = w.clock.Now()
	w.isLessTrusted(fmt.Sprintf("an age of more than %s", w.StaleAfter), in, trustOf(n))
}
