package stripe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

const (
	pathDisputes = "/v1/disputes"
	pathFiles    = "/v1/files"
)

// dispute is one of Stripe's. Inquiries are disputes whose status begins with warning_.
type dispute struct {
	ID       string              `json:"id"`
	Status   string              `json:"status"`
	Reason   string              `json:"reason"`
	Amount   int64               `json:"amount"`
	Currency string              `json:"currency"`
	Created  int64               `json:"created"`
	Intent   *expandable[intent] `json:"payment_intent"`
	Evidence struct {
		DueBy int64 `json:"due_by"`
	} `json:"evidence_details"`
	Moves []balanceMove `json:"balance_transactions"`
	Meta  struct {
		Evidence gateway.Key `json:"vezne_evidence"`
	} `json:"metadata"`
}

// balanceMove is money that a dispute has taken from our balance, or given back to it, in the balance's currency.
type balanceMove struct {
	Amount   int64  `json:"amount"`
	Fee      int64  `json:"fee"`
	Currency string `json:"currency"`
}

// Lacks implements plugkit.Checker.
func (d *dispute) Lacks() string {
	switch {
	case d.ID == "":
		return "id"
	case d.Moves == nil:
		return "balance_transactions"
	default:
		return ""
	}
}

// explainDisputes is explain of calls for which a restricted key that was made earlier has no permission: the account works all the same.
func explainDisputes(r gateway.Response) error {
	if r.Status == 403 {
		return plugkit.Refuse(gateway.Unsupported, "the key has no permission for disputes")
	}
	return explain(r)
}

// ReadDispute implements ports.DisputeReader.
func (g *Gateway) ReadDispute(ctx context.Context, id string) (gateway.DisputeReport, error) {
	var d dispute
	if err := get(ctx, g.disputes, pathDisputes+plugkit.Path(id), nil, &d); err != nil {
		return gateway.DisputeReport{}, err
	}
	return d.report(id)
}

// ListDisputes implements ports.DisputeLister: the disputes that were made in a window, newest first. A cursor is the last one's id.
func (g *Gateway) ListDisputes(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.DisputePage, error) {
	if !w.From.Before(w.To) {
		return gateway.DisputePage{}, nil
	}
	query := url.Values{"created[gte]": {seconds(w.From)}, "created[lt]": {seconds(w.To)}, "limit": {page}}
	if c != "" {
		query.Set("starting_after", string(c))
	}
	var found list[dispute]
	if err := get(ctx, g.disputes, pathDisputes, query, &found); err != nil {
		return gateway.DisputePage{}, err
	}
	var listed gateway.DisputePage
	for _, d := range found.Data {
		listed.IDs = append(listed.IDs, d.ID)
		if *found.HasMore {
			listed.Next = gateway.Cursor(d.ID)
		}
	}
	return listed, nil
}

// AcceptDispute implements ports.DisputeAccepter. Stripe closes a dispute that is open as lost; of any other it says why not, and the
// dispute tells what became of it.
func (g *Gateway) AcceptDispute(ctx context.Context, id string, key gateway.Key) (gateway.DisputeReport, error) {
	var d dispute
	err := post(ctx, g.disputes, pathDisputes+plugkit.Path(id, "close"), key, nil, &d)
	if err == nil {
		return d.report(id)
	}
	if !gateway.IsClass(err, gateway.Invalid) {
		return gateway.DisputeReport{}, err
	}
	seen, readErr := g.ReadDispute(ctx, id)
	if readErr == nil && !seen.State.IsOver() {
		readErr = err
	}
	return seen, readErr
}

// evidenceFields are Stripe's fields of evidence.
var evidenceFields = map[gateway.EvidenceKind]string{
	gateway.EvidenceStatement: "uncategorized_text", gateway.EvidenceProduct: "product_description", gateway.EvidenceReceipt: "receipt",
	gateway.EvidenceCommunication: "customer_communication", gateway.EvidenceService: "service_documentation",
	gateway.EvidenceOther: "uncategorized_file",
}

// AnswerDispute implements ports.DisputeAnswerer. Each file is uploaded by itself, and the evidence names them. The dispute's metadata keep the
// key. A dispute that has ended, or was answered before, is refused with 400.
func (g *Gateway) AnswerDispute(ctx context.Context, o gateway.EvidenceOrder) (gateway.DisputeReport, error) {
	form := url.Values{"submit": {"true"}, "metadata[" + metaEvidence + "]": {string(o.Key)}}
	for i, e := range o.Evidence {
		value := e.Text
		if e.Kind.IsFile() {
			id, err := g.upload(ctx, o.Key+gateway.Key("-"+strconv.Itoa(i)), e)
			if err != nil {
				return gateway.DisputeReport{}, err
			}
			value = id
		}
		form.Set("evidence["+evidenceFields[e.Kind]+"]", value)
	}
	var d dispute
	if err := post(ctx, g.disputes, pathDisputes+plugkit.Path(o.ID), o.Key, form, &d); err != nil {
		return gateway.DisputeReport{}, err
	}
	return d.report(o.ID)
}

// upload sends a file, which changes nothing of the dispute, and returns Stripe's id of it.
func (g *Gateway) upload(ctx context.Context, key gateway.Key, e gateway.Evidence) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	// The same key has the same bytes.
	sum := sha256.Sum256(e.Content)
	err := form.SetBoundary(hex.EncodeToString(sum[:]))
	if err == nil {
		err = form.WriteField("purpose", "dispute_evidence")
	}
	header := textproto.MIMEHeader{"Content-Type": {e.Type}}
	header.Set("Content-Disposition", multipart.FileContentDisposition("file", e.Name))
	if err == nil {
		var part io.Writer
		if part, err = form.CreatePart(header); err == nil {
			_, err = part.Write(e.Content)
		}
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return "", &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	var made uploaded
	err = g.disputes.Send(ctx, gateway.Request{Method: "POST", URL: "https://" + filesHost + pathFiles, Body: body.Bytes(), Header: gateway.Header{
		{Name: "Accept", Value: "application/json"}, {Name: "Content-Type", Value: form.FormDataContentType()},
		{Name: "Idempotency-Key", Value: string(key)},
	}}, &made)
	return made.ID, err
}

// uploaded is a file at Stripe.
type uploaded struct {
	ID string `json:"id"`
}

// Lacks implements plugkit.Checker.
func (u *uploaded) Lacks() string {
	if u.ID == "" {
		return "id"
	}
	return ""
}

// report says what a dispute is. Its moves are counted in the dispute's own currency: where the balance has another one, each is of the
// whole amount.
func (d dispute) report(asked string) (gateway.DisputeReport, error) {
	r := gateway.DisputeReport{
		ID: d.ID, State: disputeStates.Of(d.Status), Reason: disputeReasons.Of(d.Reason), RawReason: d.Reason,
		Amount: units(d.Amount, d.Currency), At: time.Unix(d.Created, 0).UTC(), Raw: d.Status,
		Answered: d.Meta.Evidence,
	}
	if d.Intent != nil {
		r.External.ID = d.Intent.id
	}
	if d.Evidence.DueBy > 0 {
		r.EvidenceDue = time.Unix(d.Evidence.DueBy, 0).UTC()
	}
	for _, m := range d.Moves {
		amount := m.Amount
		if m.Currency != d.Currency {
			amount = map[bool]int64{true: -d.Amount, false: d.Amount}[m.Amount < 0]
		}
		if amount < 0 {
			r.Withdrawn = total(r.Withdrawn, units(-amount, d.Currency))
		} else if amount > 0 {
			r.Reinstated = total(r.Reinstated, units(amount, d.Currency))
		}
		if m.Fee != 0 {
			r.Fee = total(r.Fee, units(m.Fee, m.Currency))
		}
	}
	return r, plugkit.IsAbout(d.ID, gateway.Ref(asked))
}

// total adds to a sum that may be none yet.
func total(before *gateway.Money, more gateway.Money) *gateway.Money {
	if before == nil {
		return &more
	}
	more.Amount = more.Amount.Add(before.Amount)
	return &more
}
