package graph

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// FilesPath is where receipts are attached and fetched: below the endpoint, which the session's cookie is for.
const FilesPath = "/graphql/files"

// Bounds of uploads, in bytes, and how many requests one counts as.
const (
	maxUploadBytes = payment.MaxNoteFileBytes + 64<<10 // with the other parts
	maxPartBytes   = 16 << 10
	uploadRequests = 20
)

// Files receives and returns the files of notes, to whoever may do that by GraphQL: POST {path}/{code} with the parts audience, text and file,
// in this order, and GET {path}/{code}/{note}. Both need what a request to the endpoint needs: an Authorization, or the cookie with
// its header, from this very origin. What is given is never shown by a browser as a page of this origin.
func (e *Endpoint) Files() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+FilesPath+"/{code}", e.signedFile(e.upload))
	mux.HandleFunc("GET "+FilesPath+"/{code}/{note}", e.signedFile(e.download))
	return mux
}

// signedFile has a request served for a member of staff, and its fault told as the endpoint does.
func (e *Endpoint) signedFile(serve func(w http.ResponseWriter, r *http.Request, by app.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), e.Timeout)
		defer cancel()
		ctx = graphql.StartOperationTrace(withCaller(ctx, e.callerOf(ctx, r, w)))
		setHeaders(w, r)
		retry, err := e.count(ctx, callerOf(ctx), uploadRequests)
		tellRetry(w, retry)
		if err == nil {
			err = e.ownSite(r)
		}
		if err == nil {
			_, err = signedIn(ctx)
		}
		if err == nil {
			err = serve(w, r.WithContext(ctx), callerOf(ctx).request)
		}
		if err != nil {
			shown := presenter{e.Log}.present(ctx, err)
			answer(w, statusOf(err), errorsOnly{gqlerror.List{shown}})
		}
	}
}

// ownSite refuses what another site asks for. Fault: CrossSite.
func (e *Endpoint) ownSite(r *http.Request) error {
	const op = "graph.ownSite"
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return fault.E(op, fault.CrossSite, err)
	}
	if r.Header.Get(SessionHeader) != "" {
		return e.ownPage(r)
	}
	return nil
}

// statusOf is the HTTP status of a file's fault.
func statusOf(err error) int {
	code := fault.CodeOf(err)
	known := map[fault.Code]int{
		fault.Unauthenticated: http.StatusUnauthorized, fault.Forbidden: http.StatusForbidden, fault.FactorRequired: http.StatusForbidden,
		fault.NotFound: http.StatusNotFound, fault.Internal: http.StatusInternalServerError, fault.Conflict: http.StatusConflict,
	}
	if status, ok := known[code]; ok {
		return status
	}
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusBadRequest
}

// uploaded is what an upload is answered with.
type uploaded struct {
	Note uploadedNote `json:"note"`
}

type uploadedNote struct {
	ID       core.ID `json:"id"`
	FileName string  `json:"fileName"`
	FileType string  `json:"fileType"`
	FileSize int     `json:"fileSize"`
}

func (e *Endpoint) upload(w http.ResponseWriter, r *http.Request, _ app.Request) error {
	const op = "graph.upload"
	r.Body = http.MaxBytesReader(w, r.Body, maxUploadBytes)
	parts, err := r.MultipartReader()
	if err != nil {
		return badUpload(op, err)
	}
	n := payment.NewNote{Kind: payment.ReceiptNote}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = readPart(part, &n)
		}
		if err != nil {
			return badUpload(op, err)
		}
	}
	if n.Content == nil {
		n.Content = []byte{}
	}
	who, err := e.now(r.Context(), callerOf(r.Context())) // it may have been under way for a while
	if err == nil {
		_, err = signedIn(withCaller(r.Context(), who))
	}
	if err != nil {
		return err
	}
	_, made, err := e.Notes.Add(r.Context(), app.StaffMove{Request: who.request, TrackingCode: r.PathValue("code")}, n)
	if err != nil {
		return err
	}
	answer(w, http.StatusCreated, uploaded{uploadedNote{made.ID, made.FileName, made.FileType, made.FileSize}})
	return nil
}

// readPart reads one part of an upload; a part of another name is refused.
func readPart(part *multipart.Part, n *payment.NewNote) error {
	isFile := part.FormName() == "file"
	bound := int64(maxPartBytes)
	if isFile {
		bound = payment.MaxNoteFileBytes + 1
	}
	content, err := io.ReadAll(io.LimitReader(part, bound))
	if err != nil {
		return err
	}
	switch part.FormName() {
	case "file":
		if n.Content != nil {
			return errors.New("a second file")
		}
		n.FileName, n.Content = part.FileName(), content
	case "text":
		n.Text = string(content)
	case "audience":
		n.Audience = payment.NoteAudience(content)
	default:
		return errors.New("an unknown part")
	}
	return nil
}

// badUpload is an upload that is none: too large, or not of its form.
func badUpload(op string, err error) error {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return fault.E(op, fault.BodyTooLarge, err)
	}
	var form core.Form
	form.Fail("file", "field.file")
	return form.Err(op)
}

func (e *Endpoint) download(w http.ResponseWriter, r *http.Request, by app.Request) error {
	if err := core.CheckID(core.ID(r.PathValue("note"))); err != nil {
		return fault.New("graph.download", fault.NotFound)
	}
	n, content, err := e.Notes.File(r.Context(), by, r.PathValue("code"), core.ID(r.PathValue("note")))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", n.FileType)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	h.Set("Content-Disposition", `attachment; filename="`+asciiName(n)+`"; filename*=UTF-8''`+url.PathEscape(n.FileName))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	_, _ = w.Write(content) //nolint:gosec // an attachment, which no browser runs
	return nil
}

// asciiName is for what does not read filename*.
func asciiName(n payment.Note) string {
	return "receipt-" + strconv.Itoa(n.Number) + path.Ext(n.FileName)
}
