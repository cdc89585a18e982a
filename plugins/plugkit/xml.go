package plugkit

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

// DecodeXML reads one XML document, in the Turkish charset or in UTF-8. What is none (an HTML page, half an answer) is retryable with
// unknown effect: the gateway may have acted.
func DecodeXML(body []byte, out any) error {
	if err := decodeXML(body, out); err != nil {
		return &gateway.Error{
			Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawText: Excerpt(body),
			Err: fmt.Errorf("the answer is not the XML that was expected: %w", err),
		}
	}
	return nil
}

func decodeXML(body []byte, out any) error {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if !strings.EqualFold(charset, "ISO-8859-9") {
			return nil, fmt.Errorf("the charset %q is not known", charset)
		}
		raw, err := io.ReadAll(in)
		return strings.NewReader(turkishText(raw)), err
	}
	if err := d.Decode(out); err != nil {
		return err
	}
	for {
		token, err := d.Token()
		if err == io.EOF { //nolint:errorlint // Token returns it bare
			return nil
		}
		if text, isText := token.(xml.CharData); err != nil || !isText || len(bytes.TrimSpace(text)) > 0 {
			return errors.New("something follows the document")
		}
	}
}

// turkishLetters are where ISO-8859-9 differs from Latin-1, whose bytes are the first runes of Unicode.
var turkishLetters = map[byte]rune{0xD0: 'Ğ', 0xDD: 'İ', 0xDE: 'Ş', 0xF0: 'ğ', 0xFD: 'ı', 0xFE: 'ş'}

func turkishText(raw []byte) string {
	var b strings.Builder
	for _, c := range raw {
		if letter, isTurkish := turkishLetters[c]; isTurkish {
			b.WriteRune(letter)
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}
