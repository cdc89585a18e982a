package harness

import (
	"html"
	"net/url"
	"path"
	"regexp"
)

var (
	formShape  = regexp.MustCompile(`(?s)<form([^>]*)>(.*?)</form>`)
	inputShape = regexp.MustCompile(`<input([^>]*)>`)
	attribute  = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
)

// FindForm finds the form whose address ends in an action, with what its fields hold.
func FindForm(page, action string) (target string, inputs url.Values, ok bool) {
	for _, form := range formShape.FindAllStringSubmatch(page, -1) {
		attributes := attributesOf(form[1])
		target = attributes["action"]
		u, err := url.Parse(target)
		if err != nil || path.Base(u.Path) != action || attributes["method"] != "post" {
			continue
		}
		inputs = url.Values{}
		for _, input := range inputShape.FindAllStringSubmatch(form[2], -1) {
			field := attributesOf(input[1])
			inputs.Set(field["name"], field["value"])
		}
		return target, inputs, true
	}
	return "", nil, false
}

func attributesOf(tag string) map[string]string {
	found := make(map[string]string)
	for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
		found[a[1]] = html.UnescapeString(a[2])
	}
	return found
}
