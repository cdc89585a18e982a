package owner

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
)

// Bounds of a brand's texts.
const (
	maxDisplayNameChars = 60
	maxReturnLabelChars = 40
)

// Brand is how the payment page of a site, or of a dealer's own payments, looks and whom it names; an empty field leaves the page as
// Vezne's own.
type Brand struct {
	DisplayName  string // in place of the owner's name
	Logo         Logo
	Color        Color
	SupportEmail string
	SupportPhone string
	SupportURL   string
	TermsURL     string
	PrivacyURL   string
	ReturnLabel  string // on the button that leads back, in place of "Back to <name>"
}

// saysTheSame reports whether a brand says to customers what another says: the colors alone may differ.
func (b Brand) saysTheSame(as Brand) bool {
	b.Color = as.Color
	return b == as
}

// BrandPatch changes a brand, and where the page leads back to; nil fields stay as they are, an empty text takes away.
type BrandPatch struct {
	DisplayName  *string
	Logo         *string // base64 of an SVG or a PNG
	Color        *string // "#0b6b50"
	SupportEmail *string
	SupportPhone *string
	SupportURL   *string
	TermsURL     *string
	PrivacyURL   *string
	ReturnLabel  *string
	HomeURL      *string
}

// Apply returns the site with the brand, ready to be saved. Fault: Invalid, with the failed fields by their GraphQL names.
func (c BrandPatch) Apply(s Site, isHouse bool, at time.Time) (Site, error) {
	var form core.Form
	c.apply(&form, &s.Brand, isHouse)
	form.URL("homeUrl", c.HomeURL, &s.HomeURL)
	s.Version++
	s.UpdatedAt = at
	return s, form.Err("core.BrandPatch.Apply")
}

// apply changes a brand. Whoever is not of the house takes no name of a bank, a card scheme or Vezne.
func (c BrandPatch) apply(form *core.Form, b *Brand, isHouse bool) {
	brandText(form, "displayName", c.DisplayName, &b.DisplayName, maxDisplayNameChars, isHouse)
	brandText(form, "returnLabel", c.ReturnLabel, &b.ReturnLabel, maxReturnLabelChars, isHouse)
	if c.Logo != nil {
		logo, why := readLogo(*c.Logo)
		if b.Logo = logo; why != "" {
			form.Fail("logo", why, logoBounds(why)...)
		}
	}
	if c.Color != nil {
		color, ok := ParseColor(*c.Color)
		if b.Color = color; !ok {
			form.Fail("color", "field.color")
		}
	}
	if c.SupportEmail != nil {
		if b.SupportEmail = strings.TrimSpace(*c.SupportEmail); b.SupportEmail != "" {
			b.SupportEmail = form.Email("supportEmail", core.Input{Kind: core.TextInput, Text: b.SupportEmail})
			if !isPlainMailbox(b.SupportEmail) {
				form.Fail("supportEmail", "field.email")
			}
		}
	}
	if c.SupportPhone != nil {
		if b.SupportPhone = strings.TrimSpace(*c.SupportPhone); b.SupportPhone != "" {
			b.SupportPhone = form.Phone("supportPhone", core.Input{Kind: core.TextInput, Text: b.SupportPhone})
		}
	}
	brandLink(form, "supportUrl", c.SupportURL, &b.SupportURL)
	brandLink(form, "termsUrl", c.TermsURL, &b.TermsURL)
	brandLink(form, "privacyUrl", c.PrivacyURL, &b.PrivacyURL)
}

// brandText reads a text in Latin letters: others look like them, and a name in those could pass for one that is refused.
func brandText(form *core.Form, name string, from, to *string, maxChars int, isHouse bool) {
	if from == nil {
		return
	}
	*to = form.Text(name, core.Input{Kind: core.TextInput, Text: *from}, maxChars)
	isForeign := func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }
	switch {
	case strings.IndexFunc(*to, isForeign) >= 0:
		form.Fail(name, "field.latin")
	case !isHouse && namesInstitution(*to):
		form.Fail(name, "field.institution")
	}
}

// brandLink reads an https address that browsers read as this program does.
func brandLink(form *core.Form, name string, from, to *string) {
	if from == nil {
		return
	}
	text := strings.TrimSpace(*from)
	if origin, ok := originOf(text); text != "" && (!ok || !strings.HasPrefix(origin, "https://")) {
		form.Fail(name, "field.https")
		return
	}
	*to = text
}

// isPlainMailbox reports whether an address can stand in a mailto: link and mean itself alone: no header follows it.
func isPlainMailbox(text string) bool {
	isOther := func(r rune) bool { return r > utf8.RuneSelf || strings.ContainsRune("?&%#/:\\'`", r) }
	return strings.IndexFunc(text, isOther) < 0
}

// Phone is the support's number as a tel: link has it: digits, with a plus before them where it was written so.
func (b Brand) Phone() string {
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, b.SupportPhone)
}

// institutions are names that a page which takes money must not be mistaken for: Turkish banks, card schemes, payment houses and
// Vezne, folded as names are.
var institutions = strings.Fields(`ziraat halkbank vakifbank akbank garanti isbank isbankasi yapikredi denizbank qnb finansbank teb hsbc
	odeabank sekerbank kuveytturk albaraka turkiyefinans vakifkatilim ziraatkatilim emlakkatilim enpara papara ininal tosla fibabanka alternatifbank
	burganbank anadolubank visa mastercard troy bkm tcmb masak bddk vezne ing`)

// namesInstitution reports whether a name has one of theirs in it, however it is spaced: each run of its words is compared.
func namesInstitution(name string) bool {
	words := NameParts(name)
	for i := range words {
		joined := ""
		for _, word := range words[i:] {
			joined += word
			for _, other := range institutions {
				if joined == other || len(other) > 4 && strings.HasPrefix(joined, other) {
					return true
				}
			}
		}
	}
	return false
}

// state is what an audit row says of a brand: of the logo its type and fingerprint.
func (b Brand) state() map[string]any {
	return map[string]any{
		"displayName": b.DisplayName, "logo": b.Logo.fingerprint(), "color": b.Color, "supportEmail": b.SupportEmail,
		"supportPhone": b.SupportPhone, "supportUrl": b.SupportURL, "termsUrl": b.TermsURL, "privacyUrl": b.PrivacyURL,
		"returnLabel": b.ReturnLabel,
	}
}

// BrandState is what an audit row says of a site's brand and of where its page leads back to, as JSON.
func (s Site) BrandState() string {
	state := s.Brand.state()
	state["homeUrl"] = s.HomeURL
	return auditJSON(state)
}

func (l Logo) fingerprint() string {
	if l == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(l))
	return l.MediaType() + " " + hex.EncodeToString(sum[:8])
}

// Hash names the logo's content, for addresses under which it may be kept.
func (l Logo) Hash() string {
	_, hash, _ := strings.Cut(l.fingerprint(), " ")
	return hash
}
