package dealer

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// maxPage bounds D5's page: more than a bank books in three days.
const maxPage = 1_000_000

// Years of a date: what the calendar of every database has.
const (
	firstYear = 1900
	lastYear  = 9998
)

// readQuery returns parameters of the query as inputs. One that comes twice is a list, which no parameter may be.
func readQuery(r *http.Request, names ...string) []core.Input {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what can't be read is missing
	inputs := make([]core.Input, len(names))
	for i, name := range names {
		switch values := query[name]; len(values) {
		case 0:
		case 1:
			inputs[i] = core.Input{Kind: core.TextInput, Text: values[0]}
		default:
			inputs[i] = core.Input{Kind: core.OtherInput}
		}
	}
	return inputs
}

// readDate reads a required date, YYYY-MM-DD: the beginning of that day in the zone.
func readDate(form *core.Form, name string, in core.Input, zone *time.Location) time.Time {
	text := form.Name(name, in)
	if text == "" {
		return time.Time{} // told already
	}
	day, err := time.ParseInLocation(time.DateOnly, text, zone)
	if err != nil || day.Year() < firstYear || day.Year() > lastYear {
		form.Fail(name, "field.date")
	}
	return day
}

// readPage reads the number of a page; the first, where none is given.
func readPage(form *core.Form, name string, in core.Input) int {
	if in.Kind == core.Missing || in.Kind == core.TextInput && strings.TrimSpace(in.Text) == "" {
		return 1
	}
	n, err := strconv.ParseUint(in.Text, 10, 32)
	if err != nil || n < 1 || n > maxPage {
		form.Fail(name, "field.between", 1, maxPage)
	}
	return int(n)
}

// readText reads a required text of which the use case alone says whether it is right.
func readText(form *core.Form, name string, in core.Input) string {
	switch {
	case in.Kind == core.Missing || in.Kind == core.TextInput && strings.TrimSpace(in.Text) == "":
		form.Fail(name, "field.required")
	case in.Kind != core.TextInput:
		form.Fail(name, "field.type")
	}
	return in.Text
}
