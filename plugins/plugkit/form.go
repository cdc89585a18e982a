package plugkit

import (
	"mime"
	"net/url"
	"slices"

	"github.com/vezne/vezne/core/gateway"
)

// formType is the media type of a posted form.
const formType = "application/x-www-form-urlencoded"

// maxListed bounds the list of what a form's hash covers.
const maxListed = 64

// Form reads a form that was posted, in which each field stands once. Error: Invalid.
func Form(in gateway.Inbound) (map[string]string, error) {
	media, _, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if err != nil || media != formType || in.Method != "POST" || len(in.Body) > gateway.MaxNotificationBytes {
		return nil, Refuse(gateway.Invalid, "not a form")
	}
	values, err := url.ParseQuery(string(in.Body))
	if err != nil {
		return nil, Refuse(gateway.Invalid, "the form can't be read")
	}
	form := make(map[string]string, len(values))
	for name, all := range values {
		if len(all) != 1 {
			return nil, Refuse(gateway.Invalid, "the form has a field twice")
		}
		form[name] = all[0]
	}
	return form, nil
}

// Listed gives the fields of a form that a list in it names, such as what its hash covers. Nil: the list names nothing, something
// twice, what is not there or may not be named, or has no end.
func Listed(form map[string]string, names []string, mayNot ...string) map[string]string {
	listed := map[string]string{}
	for _, name := range names {
		value, isThere := form[name]
		if !isThere || slices.Contains(mayNot, name) || len(names) > maxListed {
			return nil
		}
		listed[name] = value
	}
	if len(names) == 0 || len(listed) != len(names) {
		return nil
	}
	return listed
}
