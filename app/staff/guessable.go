package staff

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
)

// Bounds of new passwords. Those that members have already are not looked at.
const (
	minPasswordChars = 12
	// minOwnChars is how many characters a password must have beside what anybody would try first: common passwords, its member's
	// email, and the digits and signs at its ends.
	minOwnChars = 6
	// minDistinctChars is how many different characters a password has at least.
	minDistinctChars = 5
)

// commonText lists common passwords, one a line: see common_passwords.LICENSE for where they are from.
//
//go:embed common_passwords.txt
var commonText string

// commonHere are words that are as common here.
var commonHere = []string{
	"parola", "sifre", "şifre", "parolam", "sifrem", "şifrem", "yonetici", "yönetici", "galatasaray", "fenerbahce", "fenerbahçe",
	"besiktas", "beşiktaş", "trabzonspor", "istanbul", "ankara", "izmir", "turkiye", "türkiye", "ataturk", "atatürk",
	"seniseviyorum", "merhaba",
}

// isCommon reports whether a text is a common password. The list is looked through as it is: passwords are set so seldom that nothing
// has to be kept in memory for them.
func isCommon(text string) bool {
	return slices.Contains(commonHere, text) || strings.Contains(commonText, "\n"+text+"\n") || strings.HasPrefix(commonText, text+"\n")
}

// runs are what fingers and counting follow; backwards too.
var runs = []string{
	"01234567890123456789", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertyuiop[]asdfghjkl;'zxcvbnm,./",
	"1234567890-=qwertyuiop[]", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "qazwsxedcrfvtgbyhnujmikolp", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
	"qwertyuıopğüasdfghjklşizxcvbnmöç",
}

// checkPassword checks a new password of the member with an email.
func checkPassword(form *core.Form, password, email string) {
	switch chars := utf8.RuneCountInString(password); {
	case chars < minPasswordChars || len(password) > maxPasswordBytes:
		form.Fail("password", "field.length", minPasswordChars, maxPasswordBytes)
	case isGuessable(password, email):
		form.Fail("password", "field.guessable")
	}
}

// isGuessable reports whether a password is among those that are tried first.
func isGuessable(password, email string) bool {
	text := strings.ToLower(password)
	if isCommon(text) || distinct(text) < minDistinctChars || isRepeated(text) || isRun(text) {
		return true
	}
	rest := text
	for _, word := range contextOf(email) {
		rest = strings.ReplaceAll(rest, word, " ")
	}
	own := strings.TrimFunc(rest, isDecoration)
	return utf8.RuneCountInString(own) < minOwnChars || isCommon(own) || isCommon(unleet(own)) || isRun(own) || isRepeated(own)
}

// contextOf are the words that somebody who knows the member would try: this software's name, and the parts of the email.
func contextOf(email string) []string {
	email = plainEmail(email)
	words := []string{"vezne"}
	if email != "" {
		words = append(words, email)
	}
	for _, word := range strings.FieldsFunc(email, isDecoration) {
		if utf8.RuneCountInString(word) >= 4 {
			words = append(words, word)
		}
	}
	return words
}

// isDecoration reports whether a character is none of a word's.
func isDecoration(r rune) bool { return !unicode.IsLetter(r) }

// unleet writes the letters for which signs stand.
func unleet(text string) string {
	return strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t").Replace(text)
}

func distinct(text string) int {
	seen := map[rune]bool{}
	for _, r := range text {
		seen[r] = true
	}
	return len(seen)
}

// isRepeated reports whether a text is a shorter one several times.
func isRepeated(text string) bool {
	return text != "" && strings.Contains((text + text)[1:2*len(text)-1], text)
}

// isRun reports whether a text follows the keyboard, the digits or the alphabet.
func isRun(text string) bool {
	letters := []rune(text)
	backwards := make([]rune, len(letters))
	for i, r := range letters {
		backwards[len(letters)-1-i] = r
	}
	for _, run := range runs {
		if text != "" && (strings.Contains(run, text) || strings.Contains(run, string(backwards))) {
			return true
		}
	}
	return false
}
