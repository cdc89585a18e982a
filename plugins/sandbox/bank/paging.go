package bank

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// listing is one page of a list. Next continues it; empty: it ends here.
type listing[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"`
}

// pageQuery asks for a page: what is of [from, to), after the cursor.
type pageQuery struct {
	from, to time.Time
	limit    int
	after    time.Time
	afterNo  int // 0: from the beginning
}

func (c *call) page() (pageQuery, *problem) {
	values := c.URL.Query()
	q := pageQuery{limit: pageSize}
	var bad bool
	for name, into := range map[string]*time.Time{"from": &q.from, "to": &q.to} {
		t, err := time.Parse(time.RFC3339Nano, values.Get(name))
		*into, bad = t, bad || err != nil
	}
	if bad {
		return q, invalid("invalid_request", "from and to must be times in RFC 3339")
	}
	if text := values.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPageSize {
			return q, invalid("invalid_request", "limit must be 1 to 100")
		}
		q.limit = n
	}
	ok := true
	if text := values.Get("cursor"); text != "" {
		q.after, q.afterNo, ok = readCursor(text)
	}
	if !ok {
		return q, invalid("invalid_request", "the cursor is not one of this bank's")
	}
	return q, nil
}

func (q pageQuery) holds(t time.Time) bool { return !t.Before(q.from) && t.Before(q.to) }

// isPast reports whether an item comes after the cursor. Items of one moment are told apart by their number.
func (q pageQuery) isPast(t time.Time, no int) bool {
	return q.afterNo == 0 || cmp.Or(t.Compare(q.after), cmp.Compare(no, q.afterNo)) > 0
}

func cursor(t time.Time, no int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(t.UnixNano(), 10) + " " + strconv.Itoa(no)))
}

func readCursor(text string) (time.Time, int, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(text) > maxTextBytes {
		return time.Time{}, 0, false
	}
	nanosText, noText, _ := strings.Cut(string(raw), " ")
	nanos, err := strconv.ParseInt(nanosText, 10, 64)
	if err != nil {
		return time.Time{}, 0, false
	}
	no, err := strconv.Atoi(noText)
	return time.Unix(0, nanos).UTC(), no, err == nil && no > 0
}

// pageOf takes the page that a query asks for from items that are in the order of their time and number.
func pageOf[T, V any](q pageQuery, items []T, place func(T) (time.Time, int), view func(T) V) listing[V] {
	page := listing[V]{Items: []V{}}
	var last T
	for _, item := range items {
		t, no := place(item)
		if !q.holds(t) || !q.isPast(t, no) {
			continue
		}
		if len(page.Items) == q.limit {
			page.Next = cursor(place(last))
			return page
		}
		page.Items, last = append(page.Items, view(item)), item
	}
	return page
}
