package sandbox

import (
	"context"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// disputeJSON is a dispute.
type disputeJSON struct {
	ID               string      `json:"id"`
	DepositID        string      `json:"deposit_id"`
	DepositReference string      `json:"deposit_reference"`
	Status           string      `json:"status"`
	Reason           string      `json:"reason"`
	Amount           amountJSON  `json:"amount"`
	Withdrawn        *amountJSON `json:"withdrawn"`
	Reinstated       *amountJSON `json:"reinstated"`
	Fee              *amountJSON `json:"fee"`
	EvidenceDue      time.Time   `json:"evidence_due"`
	EvidenceKey      gateway.Key `json:"evidence_key"`
	CreatedAt        time.Time   `json:"created_at"`
}

func (d disputeJSON) report() gateway.DisputeReport {
	return gateway.DisputeReport{
		ID: d.ID, Ref: gateway.Ref(d.DepositReference), External: gateway.ExternalRef{ID: d.DepositID}, State: disputeStates.Of(d.Status),
		Reason: disputeReasons.Of(d.Reason), RawReason: d.Reason, Amount: d.Amount.money(),
		Withdrawn: moneyOf(d.Withdrawn), Reinstated: moneyOf(d.Reinstated), Fee: moneyOf(d.Fee), EvidenceDue: d.EvidenceDue,
		At: d.CreatedAt, Answered: d.EvidenceKey, Raw: d.Status,
	}
}

// ReadDispute implements ports.DisputeReader.
func (g *Gateway) ReadDispute(ctx context.Context, id string) (gateway.DisputeReport, error) {
	var d disputeJSON
	if err := g.get(ctx, "/v1"+plugkit.Path("disputes", id), &d); err != nil {
		return gateway.DisputeReport{}, err
	}
	return d.report(), plugkit.IsAbout(d.ID, gateway.Ref(id))
}

// ListDisputes implements ports.DisputeLister.
func (g *Gateway) ListDisputes(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.DisputePage, error) {
	var list listJSON[disputeJSON]
	if err := g.get(ctx, "/v1/disputes"+pageQuery(w, c, 0), &list); err != nil {
		return gateway.DisputePage{}, err
	}
	page := gateway.DisputePage{Next: gateway.Cursor(list.Next)}
	for _, d := range list.Items {
		page.IDs = append(page.IDs, d.ID)
	}
	return page, nil
}

// AcceptDispute implements ports.DisputeAccepter. The sandbox says of one that has ended what it is.
func (g *Gateway) AcceptDispute(ctx context.Context, id string, key gateway.Key) (gateway.DisputeReport, error) {
	var d disputeJSON
	if err := g.post(ctx, "/v1"+plugkit.Path("disputes", id, "accept"), key, struct{}{}, &d); err != nil {
		return gateway.DisputeReport{}, err
	}
	return d.report(), plugkit.IsAbout(d.ID, gateway.Ref(id))
}

// AnswerDispute implements ports.DisputeAnswerer. Each file is sent by itself, and the evidence names them.
func (g *Gateway) AnswerDispute(ctx context.Context, o gateway.EvidenceOrder) (gateway.DisputeReport, error) {
	in := struct {
		Texts map[gateway.EvidenceKind]string `json:"texts"`
		Files []string                        `json:"files"`
	}{Texts: map[gateway.EvidenceKind]string{}, Files: []string{}}
	for i, e := range o.Evidence {
		if !e.Kind.IsFile() {
			in.Texts[e.Kind] = e.Text
			continue
		}
		file := struct {
			Kind    gateway.EvidenceKind `json:"kind"`
			Name    string               `json:"name"`
			Type    string               `json:"type"`
			Content []byte               `json:"content"`
		}{e.Kind, e.Name, e.Type, e.Content}
		var sent struct {
			ID string `json:"id"`
		}
		if err := g.post(ctx, "/v1"+plugkit.Path("disputes", o.ID, "files"), o.Key+gateway.Key("-"+strconv.Itoa(i)), file, &sent); err != nil {
			return gateway.DisputeReport{}, err
		}
		in.Files = append(in.Files, sent.ID)
	}
	var d disputeJSON
	if err := g.post(ctx, "/v1"+plugkit.Path("disputes", o.ID, "evidence"), o.Key, in, &d); err != nil {
		return gateway.DisputeReport{}, err
	}
	return d.report(), plugkit.IsAbout(d.ID, gateway.Ref(o.ID))
}
