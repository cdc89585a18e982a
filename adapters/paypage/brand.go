package paypage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// dress gives a page the look of its payment's site or dealer, the name that they want to be called by, and how long checking takes there.
func (h *handler) dress(r *http.Request, f *frame) (err error) {
	if f.Payment.Status == payment.Processing {
		f.Usual = h.UsualWait(r.Context(), f.Payment)
	}
	if f.Brand, err = h.brandOf(r.Context(), f.Payment); err == nil && f.Brand.DisplayName != "" {
		f.Payment.SiteName = f.Brand.DisplayName
	}
	return err
}

// brandOf is the brand of a payment's site, or of the dealer whose own it is.
func (h *handler) brandOf(ctx context.Context, p payment.Payment) (owner.Brand, error) {
	if p.IsDealers() {
		dealer, err := h.Operations.UnitOfWork.Directory.Dealer(ctx, p.DealerID)
		return dealer.Brand, fault.E("paypage.brandOf", "", err)
	}
	site, err := h.Operations.UnitOfWork.Directory.Site(ctx, p.SiteID)
	return site.Brand, fault.E("paypage.brandOf", "", err)
}

// LogoURL is where the logo is; empty: there is none.
func (f frame) LogoURL() string {
	if f.Brand.Logo == "" {
		return ""
	}
	return address(f.Payment.Token, "logo", "", url.Values{"v": {f.Brand.Logo.Hash()}})
}

// Style is the colors of the site, in both schemes; empty: the page's own.
func (f frame) Style() template.CSS {
	if f.Brand.Color == "" {
		return ""
	}
	light, dark := f.Brand.Color.OnLight(), f.Brand.Color.OnDark()
	rules := func(s owner.Scheme) string {
		return fmt.Sprintf(":root{--brand:%s;--brand-strong:%s;--brand-soft:%s;--on-brand:%s}", s.Brand, s.Strong, s.Soft, s.On)
	}
	return template.CSS(rules(light) + "@media(prefers-color-scheme:dark){" + rules(dark) + "}") //nolint:gosec // colors, made of digits
}

// HasHelp reports whether the site says whom to ask.
func (f frame) HasHelp() bool {
	return f.Brand.SupportEmail != "" || f.Brand.SupportPhone != "" || f.Brand.SupportURL != ""
}

// PhoneURL calls the site's support.
func (f frame) PhoneURL() template.URL {
	return template.URL("tel:" + f.Brand.Phone()) //nolint:gosec // digits
}

// ReturnLabel is what the button that leads back says.
func (f frame) ReturnLabel() string {
	if f.Brand.ReturnLabel != "" {
		return f.Brand.ReturnLabel
	}
	return f.T("back.to", f.Payment.SiteName)
}

// styled is a page with a style of its own.
type styled interface{ Style() template.CSS }

// allowStyle lets a page have the one style that it has.
func allowStyle(header http.Header, content any) {
	page, ok := content.(styled)
	if !ok {
		return
	}
	style := page.Style()
	if style == "" {
		return
	}
	sum := sha256.Sum256([]byte(style))
	own := "style-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	header.Set("Content-Security-Policy", strings.Replace(header.Get("Content-Security-Policy"), "style-src 'self'", own, 1))
}

// logoPolicy has a logo be a picture, also where it is opened by itself.
const logoPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// logo serves the logo of a payment's site.
func (h *handler) logo(w http.ResponseWriter, r *http.Request) {
	v, err := h.view(r, h.Deposits.State)
	var brand owner.Brand
	if err == nil {
		brand, err = h.brandOf(r.Context(), v.Payment)
	}
	if err == nil && brand.Logo == "" {
		err = fault.New("paypage.logo", fault.NotFound)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", logoPolicy)
	header.Set("Content-Type", brand.Logo.MediaType())
	if r.URL.Query().Get("v") == brand.Logo.Hash() { // one that has just been replaced is not kept under the old name
		header.Set("Cache-Control", "private, max-age=86400, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(brand.Logo.Content()))
}
