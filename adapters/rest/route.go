package rest

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/core/fault"
)

// methods are those that a 405's Allow header may name.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// Routes is a router whose refusals are JSON: 404 for an unknown path, 405 with Allow for a wrong verb.
func Routes() *chi.Mux {
	router := chi.NewRouter()
	router.NotFound(NotFound)
	router.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		allowed := allowedMethods(router, r)
		if len(allowed) == 0 {
			NotFound(w, r) // chi did not look: it does not know the verb
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		Fail(w, r, LanguageOf(r, ""), fault.New("rest.Routes", fault.MethodNotAllowed))
	})
	return router
}

// NotFound answers an unknown path.
func NotFound(w http.ResponseWriter, r *http.Request) {
	Fail(w, r, LanguageOf(r, ""), fault.New("rest.NotFound", fault.RouteNotFound))
}

func allowedMethods(router *chi.Mux, r *http.Request) []string {
	path := chi.RouteContext(r.Context()).RoutePath
	if path == "" {
		path = r.URL.Path
	}
	var allowed []string
	for _, method := range methods {
		if router.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
