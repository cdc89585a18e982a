package owner

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
)

// Color is a color as "#rrggbb" in lower case; empty: none.
type Color string

// ParseColor reads "#0B6B50" or "0b6b50"; an empty text is none.
func ParseColor(text string) (Color, bool) {
	text = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(text), "#"))
	if text == "" {
		return "", true
	}
	if b, err := hex.DecodeString(text); err != nil || len(b) != 3 {
		return "", false
	}
	return Color("#" + text), true
}

// rgb is a color's parts, 0 to 255.
type rgb [3]int

func (c Color) rgb() (v rgb) {
	b, err := hex.DecodeString(strings.TrimPrefix(string(c), "#"))
	if err != nil || len(b) != len(v) {
		return v
	}
	for i, part := range b {
		v[i] = int(part)
	}
	return v
}

func (v rgb) color() Color {
	return Color(fmt.Sprintf("#%02x%02x%02x", v[0], v[1], v[2]))
}

// mix is v with so many hundredths of another color.
func (v rgb) mix(other rgb, hundredths int) rgb {
	for i := range v {
		v[i] = (v[i]*(100-hundredths) + other[i]*hundredths + 50) / 100
	}
	return v
}

// luminance is WCAG's relative luminance.
func (v rgb) luminance() float64 {
	weights := [3]float64{0.2126, 0.7152, 0.0722}
	sum := 0.0
	for i, part := range v {
		sum += weights[i] * linear(float64(part)/255)
	}
	return sum
}

// linear undoes sRGB's curve.
func linear(part float64) float64 {
	if part <= 0.04045 {
		return part / 12.92
	}
	return math.Pow((part+0.055)/1.055, 2.4)
}

// contrast is WCAG's ratio of two colors: 1 to 21.
func (v rgb) contrast(other rgb) float64 {
	a, b := v.luminance(), other.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// minContrast is what WCAG AA asks of text.
const minContrast = 4.5

// Scheme is the colors of a page that is light or dark.
type Scheme struct {
	Brand  Color // of links, borders and buttons: the brand's own, as far as it can be read on the page
	Strong Color // of a button under the pointer
	Soft   Color // behind text, to set it apart
	On     Color // of text on Brand and Strong
}

// What a brand's color stands on: the card, and what is set apart on it. They are those of the page's own style.
var (
	lightGrounds = []rgb{{0xff, 0xff, 0xff}, {0xf3, 0xf7, 0xf5}, {0xf3, 0xf6, 0xf4}}
	darkGrounds  = []rgb{{0x18, 0x21, 0x1d}, {0x1f, 0x2a, 0x25}, {0x0f, 0x16, 0x13}}
	black, white = rgb{}, rgb{0xff, 0xff, 0xff}
	lightText    = rgb{0x13, 0x23, 0x1d}
	darkText     = rgb{0xe9, 0xf1, 0xed}
)

// OnLight is the color on a light page: as it is, or as much darker as it takes to be read.
func (c Color) OnLight() Scheme { return c.scheme(lightGrounds, black, lightText, 12) }

// OnDark is the color on a dark page: as it is, or as much lighter as it takes to be read.
func (c Color) OnDark() Scheme { return c.scheme(darkGrounds, white, darkText, 22) }

// scheme moves the color towards an end until text of it, text on it and text on its tint all reach minContrast. At the end they do.
func (c Color) scheme(grounds []rgb, end, text rgb, tint int) Scheme {
	if c == "" {
		return Scheme{}
	}
	for step := 0; ; step++ {
		v := c.rgb().mix(end, step)
		soft, strong := grounds[0].mix(v, tint), v.mix(end, 20)
		on := white
		if v.contrast(black) > v.contrast(white) {
			on = black
		}
		isRead := soft.contrast(text) >= minContrast && v.contrast(soft) >= minContrast &&
			v.contrast(on) >= minContrast && strong.contrast(on) >= minContrast
		for _, ground := range grounds {
			isRead = isRead && v.contrast(ground) >= minContrast
		}
		if isRead || step == 100 {
			return Scheme{Brand: v.color(), Strong: strong.color(), Soft: soft.color(), On: on.color()}
		}
	}
}
