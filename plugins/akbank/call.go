package akbank

import (
	"context"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// pathProcess is the one call of the API.
const pathProcess = "/api/v1/payment/virtualpos/transaction/process"

// What the call is asked to do, as txnCode.
const (
	txnRefund  = "1002"
	txnVoid    = "1003"
	txnHistory = "1010"
)

// Codes of answers.
const (
	codeDone     = "VPS-0000"
	codeDeclined = "VPS-1005" // why stands in the host's own code
)

// request is what the call takes.
type request struct {
	Terminal    terminal `json:"terminal"`
	Version     string   `json:"version"`
	Code        string   `json:"txnCode"`
	At          string   `json:"requestDateTime"`
	Random      string   `json:"randomNumber"`
	Order       order    `json:"order"`
	Transaction *part    `json:"transaction,omitempty"`
}

type terminal struct {
	Merchant string `json:"merchantSafeId"`
	Terminal string `json:"terminalSafeId"`
}

type order struct {
	ID string `json:"orderId"`
}

// part is how much is to be given back.
type part struct {
	Amount   string `json:"amount"`
	Currency int    `json:"currencyCode"`
}

// answer is the call's.
type answer struct {
	Code        plugkit.Text `json:"responseCode"`
	Text        plugkit.Text `json:"responseMessage"`
	HostCode    plugkit.Text `json:"hostResponseCode"`
	HostText    plugkit.Text `json:"hostMessage"`
	Txn         plugkit.Text `json:"txnCode"`
	Terminal    terminal     `json:"terminal"`
	Order       order        `json:"order"`
	Transaction struct {
		RRN plugkit.Text `json:"rrn"`
	} `json:"transaction"`
	Lines []line `json:"txnDetailList"`
}

// call asks for one thing about an order. An answer to another question, of another terminal or about another order is not
// believed, whatever it says.
func (g *Gateway) call(ctx context.Context, code string, ref gateway.Ref, amount *part) (answer, error) {
	var a answer
	client := plugkit.Client{HTTP: g.http, BaseURL: "https://" + g.at.api, Explain: explain, Sign: func(r *gateway.Request) error {
		r.Header = append(r.Header, gateway.Field{Name: "auth-hash", Value: sign(g.secret(), string(r.Body))})
		return nil
	}}
	err := client.Call(ctx, "POST", pathProcess, request{
		Terminal: terminal{g.merchant, g.terminal}, Version: "1.00", Code: code, At: g.now(), Random: g.random(ref),
		Order: order{string(ref)}, Transaction: amount,
	}, &a)
	if err != nil {
		return answer{}, quiet(err)
	}
	switch isDone := a.Code == codeDone; {
	case a.Txn != "" && string(a.Txn) != code:
		return answer{}, plugkit.Distrust(gateway.Retryable, "the answer is to another question")
	case a.Terminal != terminal{} && a.Terminal != terminal{g.merchant, g.terminal}:
		return answer{}, plugkit.Distrust(gateway.Retryable, "the answer is of another terminal")
	case a.Order.ID != "" || isDone && code != txnHistory: // a history names its order line by line
		err = plugkit.IsAbout(a.Order.ID, ref)
	case failures[string(a.Code)].Class == gateway.NotFound:
		err = a.namesOnly(ref)
	}
	if err == nil && a.Code != codeDone {
		err = a.failure()
	}
	if err != nil {
		return answer{}, err
	}
	return a, nil
}

// quiet drops the beginning of an answer that could not be read: a history is full of long numbers that are nobody's business.
func quiet(err error) error {
	e := *gateway.ErrorOf(err)
	if e.RawCode == "" {
		e.RawText = ""
	}
	return &e
}

// namesOnly holds a refusal that has an order in its text alone ("… Sipariş Numarası : R1") to ours.
func (a answer) namesOnly(ref gateway.Ref) error {
	text := string(a.Text)
	if i := strings.LastIndex(text, ":"); i >= 0 {
		return plugkit.IsAbout(strings.TrimSpace(text[i+1:]), ref)
	}
	return nil
}

// failure is what an answer that is no success means. What the tables lack is unknown.
func (a answer) failure() error {
	if a.Code == codeDeclined && a.HostCode != "" {
		return failures.Error(string(a.HostCode), string(a.HostText), false)
	}
	return failures.Error(string(a.Code), string(a.Text), false)
}

// explain finds the failure of an answer that is none of the call's own: of wrong keys, or a request that has not the right shape.
func explain(r gateway.Response) error {
	var e struct {
		Code    plugkit.Text `json:"code"`
		Message plugkit.Text `json:"message"`
		Own     plugkit.Text `json:"responseCode"`
	}
	if r.Status >= 500 || plugkit.Decode(r.Body, &e) != nil || e.Own != "" || string(e.Code) != codeWrongKeys {
		return nil
	}
	return failures.Error(string(e.Code), string(e.Message), false)
}
