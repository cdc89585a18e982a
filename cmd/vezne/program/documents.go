package program

import (
	"net/http"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/adapters/rest/guide"
	"github.com/vezne/vezne/docs"
	"github.com/vezne/vezne/sdk"
)

// documents are the guide for integrators and the reference of the installation at baseURL.
func documents(baseURL string) http.Handler {
	router := apidoc.New(baseURL)
	guide.Add(router, guide.Sources{Docs: docs.Files, SDK: sdk.Pages, BaseURL: baseURL})
	return router
}
