// Package gatewayhook is where gateways send their notifications: an address for each gateway account, with an
// unguessable token. What came is kept byte for byte before it is answered, and the answer is in the gateway's own words.
package gatewayhook

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

// Path is where New is mounted.
const Path = "/gateways/notify"

// New takes notifications in, below Path. It must be served behind a rest.Edge.
func New(operations *operation.Service) http.Handler {
	router := chi.NewRouter()
	router.HandleFunc("/{token}", func(w http.ResponseWriter, r *http.Request) {
		in, err := Inbound(w, r)
		var reply gateway.Reply
		if err == nil {
			reply, err = operations.Notify(r.Context(), chi.URLParam(r, "token"), in)
		}
		if err == nil && !isStatus(reply.Status) {
			err = fault.New("gatewayhook", fault.Internal) // a plugin that does not know how to answer
		}
		if err != nil {
			refuse(w, r, err)
			return
		}
		w.Header().Set("Content-Type", reply.ContentType)
		w.WriteHeader(reply.Status)
		_, _ = io.WriteString(w, reply.Body) // a gateway that has gone sends it again
	})
	router.NotFound(func(w http.ResponseWriter, r *http.Request) {
		rest.Fail(w, r, "", fault.New("gatewayhook", fault.RouteNotFound))
	})
	return router
}

// isStatus reports whether a status can be the one of an answer.
func isStatus(status int) bool { return status >= http.StatusOK && status <= 599 }

// refuse answers what could not even be given to a gateway's plugin. A fault of ours is always 503: some gateways never
// send again what was answered with 4xx.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch fault.CodeOf(err) {
	case fault.NotFound, fault.BodyTooLarge:
	default:
		err = fault.E("gatewayhook", fault.Unavailable, err)
	}
	rest.Fail(w, r, "", err)
}

// Inbound takes a request as it came.
func Inbound(w http.ResponseWriter, r *http.Request) (gateway.Inbound, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, gateway.MaxNotificationBytes))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return gateway.Inbound{}, fault.E("gatewayhook.Inbound", fault.BodyTooLarge, err)
	}
	if err != nil {
		return gateway.Inbound{}, fault.E("gatewayhook.Inbound", fault.Unavailable, err)
	}
	in := gateway.Inbound{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: body, Peer: rest.Of(r).Addr,
		Header: gateway.Header{{Name: "Host", Value: r.Host}},
	}
	for name, values := range r.Header {
		for _, v := range values {
			in.Header = append(in.Header, gateway.Field{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(in.Header, func(a, b gateway.Field) int { return strings.Compare(a.Name, b.Name) })
	return in, nil
}
