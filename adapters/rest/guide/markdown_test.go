package guide

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core/lang"
)

func rendered(t *testing.T, text string) string {
	t.Helper()
	made, err := render([]byte(text), "docs/guide/errors.md", lang.EN)
	if err != nil {
		t.Fatal(err)
	}
	return made.html
}

// TestRender: what would break out of the page is text, and what is wide scrolls.
func TestRender(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# A\n\n<script>alert(1)</script>\n":       "<h1 id=\"a\">A</h1>\n",
		"# A\n\n## The `x` of <y> İ\n":             `<h2 id="the-x-of--i">`,
		"# A\n\n```sh\necho '<b>' & \"x\"\n```\n":  `<code class="language-sh" translate="no">echo &#39;&lt;b&gt;&#39; &amp; &#34;x&#34;`,
		"# A\n\n| | b |\n|---|---|\n| <i> | d |\n": "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Table: A\"><table>\n<thead>\n<tr>\n<td></td>\n<th>b</th>",
		"# A\n\n[x](callbacks.md#retries)\n":       `href="/docs/en/callbacks#retries"`,
		"# A\n\n[x](../../sdk/README.md)\n":        `href="/docs/en/libraries"`,
		"# A\n\n[x](../staff.md#errors)\n":         `href="https://github.com/vezne/vezne/blob/main/docs/staff.md#errors"`,
		"# A\n\n[x](javascript:alert(1))\n":        `href=""`,
		"# A\n\n- [ ] do it\n":                     `<li><span class="box" aria-hidden="true"></span> do it</li>`,
		"# A\n\n```mermaid\nsequenceDiagram\nparticipant A as a <b>\nparticipant B as b\nB-->>A: x <i>\n```\n": `<li class="left reply from-1 to-2 over-2"><span class="ends">b <span aria-hidden="true">→</span> <span class="hidden">to</span> a &lt;b&gt;</span> <span class="what">x &lt;i&gt;</span></li>`,
	} {
		if got := rendered(t, text); !strings.Contains(got, want) || strings.Contains(got, "<script") || strings.Contains(got, "javascript") {
			t.Errorf("%s\nis rendered as\n%s\nwithout %s", text, got, want)
		}
	}
}

func TestWhatIsNoPageIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"# A\n\n## B\n\n## B\n",
		"# A\n\n```mermaid\ngraph TD\n```\n",
		"# A\n\n```mermaid\nsequenceDiagram\nparticipant A as a\nparticipant B as b\n```\n",
		"# A\n\n```mermaid\nsequenceDiagram\nparticipant A as a\nA->>A: x\n```\n",
		"# A\n\n```mermaid\nsequenceDiagram\nparticipant A as a\nparticipant B as b\nA->>C: x\n```\n",
		"# A\n\n```mermaid\nsequenceDiagram\nparticipant A as a\nparticipant B as b\nloop A\n```\n",
	} {
		if made, err := render([]byte(text), "docs/guide/errors.md", lang.EN); err == nil {
			t.Errorf("%s\nis rendered as %s", text, made.html)
		}
	}
}
