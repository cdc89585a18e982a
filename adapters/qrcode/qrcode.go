// Package qrcode draws QR codes for the pages that people see.
package qrcode

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// quietModules is the white border that readers need around a code.
const quietModules = 4

// Code is a QR code as the path of an SVG whose unit is one module.
type Code struct {
	Size int // of a side with its border, in modules
	Path string
}

// Draw draws a text as one path of horizontal runs of dark modules: lines one module wide through the middle of each
// row, the next run told from the end of the one before, which is the shortest way to say it.
func Draw(text string) (Code, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return Code{}, fmt.Errorf("qrcode: %w", err)
	}
	var path strings.Builder
	for y := range code.Size {
		end := -1 // of the last run of the row
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			switch n := x - from; {
			case n == 0:
				continue
			case end < 0:
				fmt.Fprintf(&path, "M%d %d.5h%d", from+quietModules, y+quietModules, n)
			default:
				fmt.Fprintf(&path, "m%d 0h%d", from-end, n)
			}
			end = x
		}
	}
	return Code{Size: code.Size + 2*quietModules, Path: path.String()}, nil
}
