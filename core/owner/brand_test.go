package owner_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/owner"
)

func branded(p owner.BrandPatch, isHouse bool) (owner.Site, error) {
	return p.Apply(owner.Site{ID: 1, Name: "Acme"}, isHouse, time.Time{})
}

func logoOf(content string) (owner.Logo, error) {
	s, err := branded(owner.BrandPatch{Logo: new(base64.StdEncoding.EncodeToString([]byte(content)))}, true)
	return s.Brand.Logo, err
}

// TestBrandRefuses: what would mislead a customer, lead them somewhere, or run.
func TestBrandRefuses(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]owner.BrandPatch{
		"a bank":                     {DisplayName: new("Ziraat Bankası Ödeme")},
		"a bank in capitals":         {DisplayName: new("GARANTİ BBVA")},
		"a bank in two words":        {DisplayName: new("Türkiye İş Bankası")},
		"a bank with gaps":           {DisplayName: new("A k b a n k")},
		"a bank on the button":       {ReturnLabel: new("Yapı Kredi'ye dön")},
		"Vezne":                      {DisplayName: new("Vezne Destek")},
		"letters that look like":     {DisplayName: new("Акbank")}, // the first two are Cyrillic
		"a direction override":       {DisplayName: new("Acme\u202Eyap")},
		"too long":                   {DisplayName: new(strings.Repeat("a", 61))},
		"a script for terms":         {TermsURL: new("javascript:alert(1)")},
		"plain http":                 {PrivacyURL: new("http://shop.example/privacy")},
		"a user name":                {SupportURL: new("https://bank.example@evil.example")},
		"a backslash":                {SupportURL: new(`https://shop.example\@evil.example`)},
		"a script for home":          {HomeURL: new("javascript:alert(1)")},
		"an address with headers":    {SupportEmail: new("help@shop.example?bcc=evil@evil.example")},
		"two addresses":              {SupportEmail: new("a@shop.example,b@evil.example")},
		"a phone with commands":      {SupportPhone: new("*21*5551112233#")},
		"a color that is a rule":     {Color: new("#fff;}body{display:none")},
		"a color of three":           {Color: new("#fff")},
		"a logo that is no picture":  {Logo: new(base64.StdEncoding.EncodeToString([]byte("<html><script>1</script></html>")))},
		"a logo that is no base64":   {Logo: new("%%%")},
		"a logo that is an SVG bomb": {Logo: new(base64.StdEncoding.EncodeToString([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><path d="&a;"/></svg>`)))},
		"a logo of nothing":          {Logo: new(base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`)))},
		"a logo too large":           {Logo: new(base64.StdEncoding.EncodeToString(make([]byte, owner.MaxLogoBytes+100)))},
		"a PNG too wide":             {Logo: new(base64.StdEncoding.EncodeToString(pngOf(t, 513, 1)))},
		"a PNG too high":             {Logo: new(base64.StdEncoding.EncodeToString(pngOf(t, 1, 513)))},
	} {
		if s, err := branded(p, false); err == nil {
			t.Errorf("%s is taken: %+v", name, s.Brand)
		}
	}
	if _, err := branded(owner.BrandPatch{DisplayName: new("Ziraat Bankası")}, true); err != nil {
		t.Errorf("the house cannot name a bank that is one: %v", err)
	}
	for _, name := range []string{"Acme Çiçek", "Şans Oyunları", "Kapadokya Balon", "Visage Güzellik"} {
		if _, err := branded(owner.BrandPatch{DisplayName: &name}, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func pngOf(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLogoIsCleaned: shapes stay, and nothing of what runs, or leads anywhere.
func TestLogoIsCleaned(t *testing.T) {
	t.Parallel()
	l, err := logoOf(`<?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24" onload="alert(1)">
<script>alert(2)</script><style>@import url(https://evil.example/a.css);</style><foreignObject><iframe src="https://evil.example"/></foreignObject>
<image href="https://evil.example/p.png"/><use xlink:href="https://evil.example/x.svg#a"/><a href="javascript:alert(3)"><path d="M9 9"/></a>
<defs><linearGradient id="g"><stop offset="0" stop-color="#123456"/></linearGradient></defs>
<set attributeName="href" to="javascript:alert(4)"/><animate attributeName="d"/>
<g style="fill:url(#g);background:url(https://evil.example/b);stroke:red"><path d="M0 0h24v24H0z" onclick="alert(5)" fill="url(https://evil.example/c)"/></g>
<text>free money</text></svg>`)
	want := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><defs><linearGradient id="g"><stop offset="0" stop-color="#123456"></stop></linearGradient></defs>` +
		`<g fill="url(#g)" stroke="red"><path d="M0 0h24v24H0z"></path></g></svg>`
	if err != nil || string(l.Content()) != want || l.MediaType() != "image/svg+xml" {
		t.Errorf("got %s of %q (%v), want %s", l.Content(), l.MediaType(), err, want)
	}
}

// TestPNGIsWrittenAnew: what hides behind the picture is gone.
func TestPNGIsWrittenAnew(t *testing.T) {
	t.Parallel()
	picture := pngOf(t, 8, 4)
	l, err := logoOf(string(picture) + "<script>alert(1)</script>")
	if err != nil || l.MediaType() != "image/png" || bytes.Contains(l.Content(), []byte("script")) {
		t.Fatalf("got %q (%v)", l.Content(), err)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(l.Content())); err != nil || size.Width != 8 || size.Height != 4 {
		t.Errorf("got %+v (%v)", size, err)
	}
}

// TestLogosNeverCarry: whatever is in an SVG, what comes out has none of it, and comes out the same again.
func TestLogosNeverCarry(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		part := rapid.SampledFrom([]string{
			"<script>", "</script>", "<path d='M0 0'", "/>", "<g ", "</g>", "onload=", "'javascript:x'", "href=", "style='", "fill:url(", "#a)", ";", "'>",
			"<image ", "<svg>", "&lt;", "]]>", "<![CDATA[", " xmlns='http://www.w3.org/1999/xhtml'", "url(//e)", "expression(1)", "\\75rl(x)",
		})
		body := strings.Join(rapid.SliceOfN(part, 0, 20).Draw(rt, "parts"), "")
		l, err := logoOf(`<svg xmlns="http://www.w3.org/2000/svg"><rect/>` + body + `</svg>`)
		if err != nil {
			return
		}
		out := strings.ReplaceAll(string(l.Content()), "http://www.w3.org/2000/svg", "")
		for _, bad := range []string{"script", "href", "onload", "style", ":", "//", "image", "\\", "&"} {
			if strings.Contains(out, bad) {
				rt.Fatalf("%s in %s", bad, out)
			}
		}
		if again, err := logoOf(string(l.Content())); err != nil || again != l {
			rt.Fatalf("cleaned again: %s (%v)", again.Content(), err)
		}
	})
}

// TestColorsCanBeRead: whatever color a site has, text of it and on it reaches 4.5:1 in both schemes, as WCAG computes it.
func TestColorsCanBeRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		c, ok := owner.ParseColor(fmt.Sprintf("%06X", rapid.IntRange(0, 0xffffff).Draw(rt, "color")))
		if !ok {
			rt.Fatal("not a color")
		}
		for ground, s := range map[owner.Color]owner.Scheme{"#ffffff": c.OnLight(), "#18211d": c.OnDark()} {
			for pair, ratio := range map[string]float64{
				"brand on the card": contrast(s.Brand, ground), "text on the brand": contrast(s.On, s.Brand),
				"text on the brand under the pointer": contrast(s.On, s.Strong), "brand on its tint": contrast(s.Brand, s.Soft),
			} {
				if ratio < 4.5 {
					rt.Fatalf("%s on %s: %s is %.2f (%+v)", c, ground, pair, ratio, s)
				}
			}
		}
	})
	if c, _ := owner.ParseColor("#0B6B50"); c.OnLight().Brand != "#0b6b50" {
		t.Errorf("a color that can be read is changed to %s", c.OnLight().Brand)
	}
	if c, _ := owner.ParseColor("#ffee00"); c.OnLight().Brand == c || c.OnDark().Brand != c {
		t.Errorf("yellow is %s on white and %s on black", c.OnLight().Brand, c.OnDark().Brand)
	}
}

// contrast is the ratio by WCAG's table of luminance, by thousandths of a part.
func contrast(a, b owner.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c owner.Color) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(string(c[1+2*i:3+2*i]), 16, 8)
		if err != nil {
			panic(err)
		}
		sum += weight * linear(float64(n)/255)
	}
	return sum
}

func linear(v float64) float64 {
	if v <= 0.03928 { // as WCAG 2.0 has it; the program takes the value of sRGB's own standard
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}
