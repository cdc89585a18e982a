package owner

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Bounds of a logo. MaxLogoBytes is of what is sent and of what is kept.
const (
	MaxLogoBytes     = 16 << 10
	maxLogoPixels    = 512 // wide and high
	maxLogoElements  = 500
	maxLogoDepth     = 16
	maxLogoAttribute = 12 << 10
)

// Logo is a picture as a data: address, of a media type that MediaType returns; empty: none. It was cleaned: nothing in it runs, and
// nothing in it leads anywhere.
type Logo string

const (
	svgPrefix = "data:image/svg+xml;base64,"
	pngPrefix = "data:image/png;base64,"
)

// MediaType is the picture's; empty where there is none.
func (l Logo) MediaType() string {
	switch {
	case strings.HasPrefix(string(l), svgPrefix):
		return "image/svg+xml"
	case strings.HasPrefix(string(l), pngPrefix):
		return "image/png"
	default:
		return ""
	}
}

// Content is the picture; nil where there is none.
func (l Logo) Content() []byte {
	_, text, _ := strings.Cut(string(l), ",")
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil || l.MediaType() == "" {
		return nil
	}
	return content
}

// readLogo reads the base64 of a PNG or an SVG, and writes it anew from what it shows. A text that is empty is none. why is the key of
// the sentence that says why a logo is refused.
func readLogo(text string) (l Logo, why string) {
	if text = strings.TrimSpace(text); text == "" {
		return "", ""
	}
	if base64.StdEncoding.DecodedLen(len(text)) > MaxLogoBytes+2 {
		return "", "field.logo_size"
	}
	content, err := base64.StdEncoding.DecodeString(text)
	prefix, clean := svgPrefix, cleanSVG
	if bytes.HasPrefix(content, []byte("\x89PNG")) {
		prefix, clean = pngPrefix, cleanPNG
	}
	if err == nil {
		content, err = clean(content)
	}
	switch {
	case errors.Is(err, errLogoSize) || len(content) > MaxLogoBytes:
		return "", "field.logo_size"
	case err != nil:
		return "", "field.logo"
	}
	return Logo(prefix + base64.StdEncoding.EncodeToString(content)), ""
}

// logoBounds are what the sentence of a key names.
func logoBounds(why string) []any {
	if why == "field.logo_size" {
		return []any{MaxLogoBytes >> 10, maxLogoPixels}
	}
	return nil
}

var (
	errLogoSize = errors.New("owner: the logo is too large")
	errNoLogo   = errors.New("owner: not a logo")
)

// cleanPNG keeps the picture and nothing else: no texts, no profile, nothing behind its end.
func cleanPNG(content []byte) ([]byte, error) {
	size, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if size.Width > maxLogoPixels || size.Height > maxLogoPixels {
		return nil, errLogoSize
	}
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, picture)
	return out.Bytes(), err
}

// What an SVG may have: shapes, groups and gradients. Everything else is left out, with what is in it.
var (
	svgElements = strings.Fields("svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath")
	svgShapes   = strings.Fields("path rect circle ellipse line polyline polygon")
	// svgAttributes are attributes, and properties that a style may have.
	svgAttributes = strings.Fields(`id d x y x1 y1 x2 y2 cx cy r rx ry fx fy width height points viewBox preserveAspectRatio transform
		fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset
		stroke-opacity opacity clip-path clip-rule offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits`)
	svgOwnReference = regexp.MustCompile(`^url\(#[A-Za-z][A-Za-z0-9_.-]*\)$`)
	svgPlainValue   = regexp.MustCompile(`^[A-Za-z0-9#.,%()+\s_-]*$`)
)

const svgSpace = "http://www.w3.org/2000/svg"

// cleanSVG writes an SVG anew, element by element, from what the lists allow.
func cleanSVG(content []byte) ([]byte, error) {
	var out bytes.Buffer
	in := xml.NewDecoder(bytes.NewReader(content))
	elements, shapes := 0, 0
	var open []string
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.Directive: // a document type may define entities
			return nil, errNoLogo
		case xml.StartElement:
			name := t.Name.Local
			elements++
			isAllowed := slices.Contains(svgElements, name) && (t.Name.Space == svgSpace || t.Name.Space == "") && (name == "svg") == (len(open) == 0)
			if elements > maxLogoElements || len(open) >= maxLogoDepth || len(open) == 0 && (!isAllowed || elements > 1) {
				return nil, errNoLogo
			}
			if !isAllowed {
				if err := in.Skip(); err != nil {
					return nil, err
				}
				continue
			}
			if slices.Contains(svgShapes, name) {
				shapes++
			}
			writeSVGStart(&out, name, t.Attr)
			open = append(open, name)
		case xml.EndElement:
			out.WriteString("</" + open[len(open)-1] + ">")
			open = open[:len(open)-1]
		default: // texts and comments show nothing
		}
	}
	if shapes == 0 {
		return nil, errNoLogo
	}
	return out.Bytes(), nil
}

// writeSVGStart writes a start tag with those attributes, and properties of its style, that are allowed.
func writeSVGStart(out *bytes.Buffer, name string, attributes []xml.Attr) {
	out.WriteString("<" + name)
	if name == "svg" {
		out.WriteString(` xmlns="` + svgSpace + `"`)
	}
	written := map[string]bool{}
	write := func(key, value string) {
		value = strings.TrimSpace(value)
		isPlain := svgPlainValue.MatchString(value) && !strings.Contains(strings.ToLower(value), "url")
		if written[key] || !slices.Contains(svgAttributes, key) || len(value) > maxLogoAttribute || !isPlain && !svgOwnReference.MatchString(value) {
			return
		}
		written[key] = true
		out.WriteString(" " + key + `="` + value + `"`) // nothing in it needs to be escaped
	}
	for _, a := range attributes { // a style goes before an attribute
		if a.Name.Space == "" && a.Name.Local == "style" {
			for declaration := range strings.SplitSeq(a.Value, ";") {
				key, value, _ := strings.Cut(declaration, ":")
				write(strings.TrimSpace(key), value)
			}
		}
	}
	for _, a := range attributes {
		if a.Name.Space == "" {
			write(a.Name.Local, a.Value)
		}
	}
	out.WriteString(">")
}
