package guide

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/lang"
)

// sequence is who sends what to whom, in order. It is written as Mermaid writes it, of which this reads participants and messages.
type sequence struct {
	names    []string // of participants, from left to right
	messages []message
}

// message goes from one participant to another, by their places.
type message struct {
	from, to int
	text     string
	isReply  bool
}

var (
	participant = regexp.MustCompile(`^participant (\w+) as (.+)$`)
	arrow       = regexp.MustCompile(`^(\w+)(--?)>>(\w+): (.+)$`)
)

// maxParticipants is how many columns guide.css has.
const maxParticipants = 4

func parseSequence(text string) (sequence, error) {
	var s sequence
	var short []string
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "sequenceDiagram" {
		return s, fmt.Errorf("%q begins no diagram", lines[0])
	}
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		if p := participant.FindStringSubmatch(line); p != nil {
			short, s.names = append(short, p[1]), append(s.names, p[2])
			continue
		}
		a := arrow.FindStringSubmatch(line)
		if a == nil {
			return s, fmt.Errorf("%q is no participant and no message", line)
		}
		m := message{from: slices.Index(short, a[1]), to: slices.Index(short, a[3]), text: a[4], isReply: a[2] == "--"}
		if m.from < 0 || m.to < 0 {
			return s, fmt.Errorf("%q is between participants that there are not", line)
		}
		s.messages = append(s.messages, m)
	}
	if len(s.names) < 2 || len(s.names) > maxParticipants || len(s.messages) == 0 {
		return s, fmt.Errorf("a diagram of %d participants and %d messages", len(s.names), len(s.messages))
	}
	return s, nil
}

// html is a list of the messages. Where there is room, guide.css puts each between the columns of its two participants; without
// room, and for who listens, it says from whom to whom.
func (s sequence) html(tag lang.Tag) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<div class=\"sequence of-%d\">\n<p class=\"who\" aria-hidden=\"true\">", len(s.names))
	for _, name := range s.names {
		fmt.Fprintf(&b, "<span>%s</span>", escape(name))
	}
	fmt.Fprintf(&b, "</p>\n<ol aria-label=\"%s\">\n", in(tag, "What happens, in order", "Sırayla ne olur"))
	for _, m := range s.messages {
		left, right, class := min(m.from, m.to), max(m.from, m.to), "right"
		switch {
		case m.from == m.to:
			class = "self"
		case m.from > m.to:
			class = "left"
		}
		if m.isReply {
			class += " reply"
		}
		whom := ""
		if m.from != m.to {
			whom = fmt.Sprintf(` <span aria-hidden="true">→</span> <span class="hidden">%s</span> %s`, in(tag, "to", "alıcı:"), escape(s.names[m.to]))
		}
		fmt.Fprintf(&b, "<li class=\"%s from-%d to-%d over-%d\"><span class=\"ends\">%s%s</span> <span class=\"what\">%s</span></li>\n",
			class, left+1, right+1, right-left+1, escape(s.names[m.from]), whom, escape(m.text))
	}
	b.WriteString("</ol>\n</div>\n")
	return b.String()
}
