package caller

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Customer is somebody's browser: the page on which they are.
type Customer struct {
	at   *url.URL
	page string
}

var (
	forms  = regexp.MustCompile(`(?s)<form[^>]*\saction="([^"]*)"[^>]*>(.*?)</form>`)
	inputs = regexp.MustCompile(`<input[^>]*>`)
	name   = regexp.MustCompile(`\sname="([^"]*)"`)
	value  = regexp.MustCompile(`\svalue="([^"]*)"`)
)

// Press sends the form of a page that goes to an action. An empty address: the page that the last one led to.
func (c *Customer) Press(ctx context.Context, address, action string, fields url.Values) error {
	if address != "" {
		if err := c.open(ctx, http.MethodGet, address, nil); err != nil {
			return err
		}
	}
	for _, form := range forms.FindAllStringSubmatch(c.page, -1) {
		target, err := c.at.Parse(html.UnescapeString(form[1]))
		if err != nil || !strings.HasSuffix(target.Path, "/"+action) {
			continue
		}
		sent := url.Values{}
		for _, input := range inputs.FindAllString(form[2], -1) {
			if n := name.FindStringSubmatch(input); n != nil {
				v := append(value.FindStringSubmatch(input), "", "")
				sent.Set(n[1], html.UnescapeString(v[1]))
			}
		}
		maps.Copy(sent, fields)
		return c.open(ctx, http.MethodPost, target.String(), sent)
	}
	return fmt.Errorf("the customer's page has no form for %s", action)
}

// Begin begins a payment on its page, which leads to the gateway's.
func (c *Customer) Begin(ctx context.Context, paymentURL string) error {
	return c.Press(ctx, paymentURL, "begin", nil)
}

// EnterCard enters a card on the gateway's page, to which Begin has led.
func (c *Customer) EnterCard(ctx context.Context, number string) error {
	return c.Press(ctx, "", "card", url.Values{"holder": {"AYSE YILMAZ"}, "number": {number}, "expiry": {"12/40"}, "cvc": {"123"}})
}

// open goes to an address, and on to where that leads.
func (c *Customer) open(ctx context.Context, method, address string, fields url.Values) error {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(fields.Encode()))
	if err != nil {
		return err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		// The address of a payment's page is a secret: it is not in what is said of the error.
		if failed := (*url.Error)(nil); errors.As(err, &failed) {
			err = failed.Err
		}
		return fmt.Errorf("opening the customer's page: %w", err)
	}
	defer got.Body.Close()
	page, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer))
	c.at, c.page = got.Request.URL, string(page)
	return err
}
