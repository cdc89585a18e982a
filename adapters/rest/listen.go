package rest

import (
	"net/http"
	"time"

	"github.com/vezne/vezne/app"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// AnswerCallbacks answers callbacks, which `vezne listen` asks: the callbacks of an owner since another, as they are sent. It is Vezne's own, and
// sandboxes alone have it.
func AnswerCallbacks(
	w http.ResponseWriter, r *http.Request, unit *app.UnitOfWork, signer payment.Signer, whose payment.ReferenceOwner, zone *time.Location,
) error {
	after := r.URL.Query().Get("after")
	if after != "" && !core.IsID(after) {
		return fault.New("rest.AnswerCallbacks", fault.NotFound)
	}
	heard, err := payments.Listen(r.Context(), unit, signer, whose, core.ID(after), zone)
	if err != nil {
		return err
	}
	WriteJSON(w, http.StatusOK, NewObject().
		Bool("success", true).
		Objects("callbacks", len(heard.Messages), func(o *Object, i int) {
			o.Object("headers", func(h *Object) {
				for _, header := range heard.Messages[i].Headers {
					if header.Name != "X-Api-Key" { // the caller's own: no answer has a key
						h.Text(header.Name, header.Value)
					}
				}
			}).Text("body", string(heard.Messages[i].Body))
		}).
		Text("next", string(heard.Next)).
		End())
	return nil
}
