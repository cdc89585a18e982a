package core

// name reads a name that may be changed; a new owner has to have one.
func (f *Form) Name(field string, from, to *string) {
	if from != nil {
		*to = f.Name(field, Input{Kind: TextInput, Text: *from})
	} else if *to == "" {
		f.Fail(field, "field.required")
	}
}
