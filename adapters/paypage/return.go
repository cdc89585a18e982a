package paypage

import (
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

// Bounds of what comes along with a returning customer, beside gateway.MaxNotificationBytes of body.
const (
	maxReturnQueryBytes = 16 << 10
	maxHeaderBytes      = 512
)

// comeBack takes a customer in who comes back from a gateway. The form of another site is what is expected here, so that
// nothing checks where it comes from: the address is unguessable, there is no cookie that could be borrowed, and what
// the browser brings proves nothing. The page that follows shows what is known of the payment by other means.
func (h *handler) comeBack(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		h.wrongMethod("GET, POST")(w, r)
		return
	}
	pageToken, err := h.returned(w, r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	see(w, address(pageToken, "", "", url.Values{"step": {wishBack}}))
}

func (h *handler) returned(w http.ResponseWriter, r *http.Request) (pageToken string, err error) {
	token := r.PathValue("return")
	if len(token) > maxTokenBytes {
		return "", fault.New("paypage.returned", fault.NotFound)
	}
	in, err := h.inbound(w, r)
	if err != nil {
		return "", err
	}
	return h.Operations.Return(r.Context(), token, in)
}

// inbound is the request as plugins take it. Of the headers they see those that say how to read the body, and what
// browser it was.
func (h *handler) inbound(w http.ResponseWriter, r *http.Request) (gateway.Inbound, error) {
	const op = "paypage.inbound"
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, gateway.MaxNotificationBytes))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), len(r.URL.RawQuery) > maxReturnQueryBytes:
		return gateway.Inbound{}, fault.E(op, fault.BodyTooLarge, err)
	case err != nil:
		return gateway.Inbound{}, fault.E(op, fault.Invalid, err)
	}
	in := gateway.Inbound{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: body, Peer: h.ClientAddr(r),
		Arrived: h.Operations.UnitOfWork.Clock.Now(),
	}
	for _, name := range []string{"Content-Type", "Accept-Language", "User-Agent"} {
		if value := r.Header.Get(name); value != "" && len(value) <= maxHeaderBytes {
			in.Header = append(in.Header, gateway.Field{Name: name, Value: value})
		}
	}
	return in, nil
}

// returnPath is where customers come back to.
const returnPath = operation.ReturnPath + "{return}"
