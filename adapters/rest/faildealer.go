package rest

import (
	"net/http"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// FailDealer is Fail in the shape of the dealer document: with the fault's code as error_code (decisions: Dealer
// endpoints). A validation failure has the shape of every other.
func FailDealer(w http.ResponseWriter, r *http.Request, tag lang.Tag, err error) {
	code, x := fault.CodeOf(err), Of(r)
	a, ok := answers[code]
	if !ok || code == fault.Invalid || code == fault.Internal || code == fault.Unavailable {
		Fail(w, r, tag, err)
		return
	}
	x.fault = code
	WriteJSON(w, a.status, NewObject().
		Bool("success", false).
		Text("error_code", string(code)).
		Text("error", a.text).
		Text("message", lang.Say(tag, string(code), fault.ArgsOf(err)...)).
		End())
}
