package rest

import (
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/core/fault"
)

// methods are those that a 405's Allow header may name.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// Routes is a router whose refusals are JSON: 404 for an unknown path, 405 with Allow for a wrong verb.
func Routes() *chi.Mux {
	router := chi.NewRouter()
	router.NotFound(func(w http.ResponseWriter, r *http.Request) {
		err := fault.New("rest.Routes", fault.RouteNotFound)
		if at := routePath(r); path.Clean(at) != at && len(allowedMethods(router, path.Clean(at))) > 0 {
			err = fault.Hinted(err, "hint.slash")
		}
		Fail(w, r, LanguageOf(r, ""), err)
	})
	router.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		allowed := allowedMethods(router, routePath(r))
		if len(allowed) == 0 {
			NotFound(w, r) // chi did not look: it does not know the verb
			return
		}
		list := strings.Join(allowed, ", ")
		w.Header().Set("Allow", list)
		Fail(w, r, LanguageOf(r, ""), fault.Hinted(fault.New("rest.Routes", fault.MethodNotAllowed), "hint.methods", list))
	})
	return router
}

// NotFound answers an unknown path.
func NotFound(w http.ResponseWriter, r *http.Request) {
	Fail(w, r, LanguageOf(r, ""), fault.New("rest.NotFound", fault.RouteNotFound))
}

// routePath is a request's path below where its router is mounted.
func routePath(r *http.Request) string {
	if below := chi.RouteContext(r.Context()).RoutePath; below != "" {
		return below
	}
	return r.URL.Path
}

// allowedMethods are those that a path takes; none: there is no such path.
func allowedMethods(router *chi.Mux, path string) (allowed []string) {
	for _, method := range methods {
		if router.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
