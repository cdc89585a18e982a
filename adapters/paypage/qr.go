package paypage

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// quietModules is the white border that readers need around a code.
const quietModules = 4

// qrCode is a QR code as the path of an SVG whose unit is one module.
type qrCode struct {
	Size int // of a side with its border, in modules
	Path string
}

// newQR draws a text as one path of horizontal runs of dark modules.
func newQR(text string) (qrCode, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return qrCode{}, fmt.Errorf("qr: %w", err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if n := x - from; n > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quietModules, y+quietModules, n, n)
			}
		}
	}
	return qrCode{Size: code.Size + 2*quietModules, Path: path.String()}, nil
}
