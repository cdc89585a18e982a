package paypage

// Sentences shows the catalogue to its test: each key with its Turkish and its English.
func Sentences() map[string][2]string {
	all := make(map[string][2]string, len(sentences))
	for key, s := range sentences {
		all[key] = [2]string{s.tr, s.en}
	}
	return all
}
