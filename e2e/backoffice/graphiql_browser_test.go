package backoffice_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/e2e/harness"
)

// typed is an expression that writes into the last of GraphiQL's editors of a sort: the one of headers is behind that of
// variables.
func typed(editor, text string) string {
	return fmt.Sprintf(`([...document.querySelectorAll(%q)].at(-1).CodeMirror.setValue(%q), true)`, editor+" .CodeMirror", text)
}

// answers is an expression that reports whether GraphiQL shows an answer with a text.
func answers(text string) string {
	return fmt.Sprintf(`document.querySelector(".graphiql-response .CodeMirror").CodeMirror.getValue().includes(%q)`, text)
}

// runQuery is an expression that runs the query, once GraphiQL has seen that there is only one.
const runQuery = `(() => {
	const button = document.querySelector(".graphiql-execute-button");
	if (button.hasAttribute("aria-haspopup")) return false;
	button.click();
	return true;
})()`

// answerIsBelow reports whether the whole width of the answer is in sight, below the query.
const answerIsBelow = `(() => {
	const query = document.querySelector(".graphiql-editors").getBoundingClientRect();
	const answer = document.querySelector(".graphiql-response").getBoundingClientRect();
	return answer.top >= query.bottom && answer.left >= 0 && answer.right <= innerWidth && answer.bottom <= innerHeight && answer.height > 100;
})()`

// TestBrowserSignsIntoGraphiQLAndAsks: staff open GraphiQL in a browser, sign in by the mutation that it offers, put the token
// where it says, and see the schema, what they ask for, and what a subscription tells. The page keeps its strict Content-Security-Policy.
func TestBrowserSignsIntoGraphiQLAndAsks(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	p := in.Seed()
	var staff struct{ Email, Password string }
	for _, s := range in.Keys.Staff {
		if s.Role == "admin" {
			staff.Email, staff.Password = s.Email, s.Password
		}
	}
	b := harness.OpenTab(t, p.URL+"/graphiql")
	b.Do(chromedp.EmulateViewport(1280, 900))
	b.Until(`document.querySelector(".graphiql-query-editor .CodeMirror")?.CodeMirror.getValue().includes("mutation SignIn")`)
	b.Until(`document.querySelector(".graphiql-query-editor .CodeMirror").CodeMirror.options.lint?.schema?.getType("Transaction") != null`)
	b.Shot("graphiql-welcome")
	b.Until(typed(".graphiql-query-editor", fmt.Sprintf("mutation { login(input: {email: %q, password: %q}) { token } }", staff.Email, staff.Password)))
	b.Until(runQuery)
	b.Until(answers(`"token"`))
	token, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string](
		`JSON.parse(document.querySelector(".graphiql-response .CodeMirror").CodeMirror.getValue()).data.login.token`))
	if err != nil {
		t.Fatal(err)
	}
	b.Until(typed(".graphiql-editor-tool", `{"Authorization": "Bearer `+token+`"}`))
	b.Until(typed(".graphiql-query-editor", `{ me { email } transactions(first: 5, sort: AMOUNT_DESC) { nodes { trackingCode } } }`))
	b.Until(runQuery)
	b.Until(answers(staff.Email))
	b.Shot("graphiql-answer")
	b.Until(typed(".graphiql-query-editor", `subscription { transactionChanged { hasGap isNew } }`))
	b.Until(runQuery)
	b.Until(answers(`"hasGap": true`))
	b.Do(chromedp.EmulateViewport(harness.PhoneWidth, harness.PhoneHeight))
	b.Until(answerIsBelow)
	b.Shot("graphiql-phone")
	b.Until(`localStorage.length === 0 && sessionStorage.length === 0 && document.cookie === ""`)
	p.Stop(t)
}

// TestGraphiQLAndIntrospectionAreSwitched: they are on in the demo and off when serving, unless it is said otherwise.
func TestGraphiQLAndIntrospectionAreSwitched(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{nil, false}, {[]string{"VEZNE_GRAPHIQL=true", "VEZNE_INTROSPECTION=true"}, true},
	} {
		p := in.Serve(c.env...)
		checkSwitched(t, p, c.want)
		p.Stop(t)
	}
	demo := harness.NewEmpty(t, "VEZNE_GRAPHIQL=false", "VEZNE_INTROSPECTION=false").Seed()
	checkSwitched(t, demo, false)
	demo.Stop(t)
	demo = harness.NewEmpty(t).Seed()
	checkSwitched(t, demo, true)
	demo.Stop(t)
}

func checkSwitched(t *testing.T, p *harness.Process, isOn bool) {
	t.Helper()
	status := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[isOn]
	for _, path := range []string{"/graphiql", "/graphiql/", "/graphiql/page.js", "/graphiql/assets/graphiql.min.js"} {
		answer, err := http.Get(p.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close() // nothing of it is read
		if answer.StatusCode != status {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, status)
		}
		if isAsset := strings.Contains(path, "/assets/"); isOn && answer.Uncompressed != isAsset { // the client has asked for gzip, and takes it apart
			t.Errorf("%s: sent compressed %t", path, answer.Uncompressed)
		}
		policy := answer.Header.Get("Content-Security-Policy")
		if isOn && (!strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe")) {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
	body, err := json.Marshal(map[string]string{"query": `{ __schema { queryType { name } } }`})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(p.URL+"/graphql", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }() // read to its end
	var said bytes.Buffer
	if _, err := said.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	if got := strings.Contains(said.String(), `"queryType":{"name":"Query"}`); got != isOn {
		t.Errorf("introspection is %t: %s", got, said.String())
	}
}
