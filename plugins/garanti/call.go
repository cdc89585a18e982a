package garanti

import (
	"context"
	"encoding/xml"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// apiVersion is the version of forms and requests that are signed with SHA-512.
const apiVersion = "512"

// request is what the API takes.
type request struct {
	XMLName     xml.Name    `xml:"GVPSRequest"`
	Mode        string      `xml:"Mode"`
	Version     string      `xml:"Version"`
	Terminal    terminal    `xml:"Terminal"`
	IP          string      `xml:"Customer>IPAddress"`
	Email       string      `xml:"Customer>EmailAddress"`
	OrderID     string      `xml:"Order>OrderID"`
	Transaction transaction `xml:"Transaction"`
}

type terminal struct {
	ProvUserID string `xml:"ProvUserID"`
	UserID     string `xml:"UserID"`
	HashData   string `xml:"HashData"`
	ID         string `xml:"ID"`
	MerchantID string `xml:"MerchantID"`
}

// transaction is what is to be done. Amount is in kuruş.
type transaction struct {
	Type        string `xml:"Type"`
	Installment string `xml:"InstallmentCnt"`
	Amount      string `xml:"Amount"`
	Currency    string `xml:"CurrencyCode"`
	Present     string `xml:"CardholderPresentCode"`
	Moto        string `xml:"MotoInd"`
	Original    string `xml:"OriginalRetrefNum,omitempty"` // the sale that is voided or given back
}

// answer is the API's.
type answer struct {
	XMLName  xml.Name `xml:"GVPSResponse"`
	Mode     string   `xml:"Mode"`
	Terminal struct {
		ID         string `xml:"ID"`
		MerchantID string `xml:"MerchantID"`
	} `xml:"Terminal"`
	Order struct {
		OrderID string   `xml:"OrderID"`
		History *history `xml:"OrderHistInqResult"`
	} `xml:"Order"`
	Transaction struct {
		Code       string `xml:"Response>Code"`
		ReasonCode string `xml:"Response>ReasonCode"`
		ErrorMsg   string `xml:"Response>ErrorMsg"`
		SysErrMsg  string `xml:"Response>SysErrMsg"`
		RetrefNum  string `xml:"RetrefNum"`
		AuthCode   string `xml:"AuthCode"`
		ProvDate   string `xml:"ProvDate"`
		HashData   string `xml:"HashData"`
	} `xml:"Transaction"`
}

type history struct {
	Lines []line `xml:"OrderTxnList>OrderTxn"`
}

// call asks for one thing about an order, as one of the terminal's users.
func (g *Gateway) call(ctx context.Context, as user, ref gateway.Ref, t transaction) (answer, error) {
	secret := security(as.password(), g.terminal)
	t.Currency, t.Present, t.Moto = lira, "0", "N"
	body, err := xml.Marshal(request{
		Mode: g.at.mode, Version: apiVersion, IP: g.ip, OrderID: string(ref), Transaction: t,
		Terminal: terminal{as.name, as.name, sign(string(ref), g.terminal, t.Amount, t.Currency, secret), g.terminal, g.merchant},
	})
	if err != nil {
		return answer{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	response, err := g.http.Do(ctx, gateway.Request{
		Method: "POST", URL: "https://" + g.at.host + "/VPServlet", Body: append([]byte(xml.Header), body...),
		Header: gateway.Header{{Name: "Content-Type", Value: "application/xml; charset=utf-8"}},
	})
	if err != nil {
		return answer{}, err
	}
	if err := plugkit.Classify(response); err != nil {
		return answer{}, err
	}
	var a answer
	if err := plugkit.DecodeXML(response.Body, &a); err != nil {
		return answer{}, err
	}
	if err := g.judge(a, secret, ref); err != nil {
		return answer{}, err
	}
	return a, nil
}

// judge is what an answer means. It is signed over its code, number, time and order; one that is not, or that is of another terminal or
// order, is not believed, whatever it says. A wrong password alone needs no signature: the bank knows none that we could check.
func (g *Gateway) judge(a answer, secret string, ref gateway.Ref) error {
	t := a.Transaction
	switch {
	case failures[a.code()].Class == gateway.Misconfigured:
		return a.failure()
	case !isSign(t.HashData, sum(t.Code, t.RetrefNum, t.AuthCode, t.ProvDate, a.Order.OrderID, secret)):
		return plugkit.Distrust(gateway.Retryable, "the answer is not signed as it must be")
	case a.Terminal.ID != g.terminal || a.Terminal.MerchantID != g.merchant:
		return plugkit.Distrust(gateway.Retryable, "the answer is of another terminal")
	case a.Mode != "" && a.Mode != g.at.mode:
		return plugkit.Distrust(gateway.Retryable, "the answer is of another mode")
	}
	err := plugkit.IsAbout(a.Order.OrderID, ref)
	if err == nil && t.Code != approved {
		err = a.failure()
	}
	return err
}

// approved is the code of a success.
const approved = "00"

// code is why something was refused: the server's own reason, or the host's code.
func (a answer) code() string {
	if a.Transaction.Code == codeServer {
		return a.Transaction.ReasonCode
	}
	return a.Transaction.Code
}

// failure is what an answer that is no success means. What the tables lack is unknown.
func (a answer) failure() error {
	return failures.Error(a.code(), a.Transaction.ErrorMsg+" "+a.Transaction.SysErrMsg, false)
}
