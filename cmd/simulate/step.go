package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Step is one thing that somebody does, or that happens, as data: any part of a story can be told again. What it is
// about is named by the step that made it, so that a step whose maker was left out does nothing.
type Step struct {
	ID    int    `json:"id"` // never another one's, also when steps are left out
	Kind  string `json:"kind"`
	Of    int    `json:"of,omitempty"`    // the step that made what this one is about
	To    int    `json:"to,omitempty"`    // the step that made the second thing
	Who   string `json:"who,omitempty"`   // the staff member
	Minor int64  `json:"minor,omitempty"` // an amount in kuruş
	What  string `json:"what,omitempty"`  // which way, by its kind
	N     int    `json:"n,omitempty"`     // a number: of seconds, of the customer, of calls from now
}

// Story is what happens in one world.
type Story struct {
	Seed  uint64 `json:"seed"` // of all that is random in the world itself
	Steps []Step `json:"steps,omitempty"`
}

// write writes a story, one line for each step; outcomes, where there are any, stand behind the steps.
func (s Story) write(to io.Writer, outcomes []string) error {
	for i, step := range s.Steps {
		line, err := json.Marshal(step)
		if err != nil {
			return err
		}
		outcome := ""
		if i < len(outcomes) {
			outcome = outcomeMark + outcomes[i]
		}
		if _, err := fmt.Fprintf(to, "%s%s\n", line, outcome); err != nil {
			return err
		}
	}
	return nil
}

// outcomeMark stands between a step and what came of it.
const outcomeMark = "  // "

// readStory reads what write has written, below a line "seed N". Lines that begin with anything else are passed over.
func readStory(from io.Reader) (Story, error) {
	var s Story
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if text, ok := strings.CutPrefix(line, "seed "); ok {
			if _, err := fmt.Sscan(text, &s.Seed); err != nil {
				return s, fmt.Errorf("%q: %w", line, err)
			}
		}
		if !strings.HasPrefix(line, "{") {
			continue
		}
		text, _, _ := strings.Cut(line, outcomeMark)
		var step Step
		if err := json.Unmarshal([]byte(text), &step); err != nil {
			return s, fmt.Errorf("%q: %w", line, err)
		}
		s.Steps = append(s.Steps, step)
	}
	return s, lines.Err()
}
