package nestpay

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// element is one of a request's, in order.
type element struct{ name, value string }

// answer is the API's.
type answer struct {
	XMLName        xml.Name `xml:"CC5Response"`
	OrderID        string   `xml:"OrderId"`
	Response       string   `xml:"Response"`
	ProcReturnCode string   `xml:"ProcReturnCode"`
	TransID        string   `xml:"TransId"`
	Text           string   `xml:"ErrMsg"`
	Code           string   `xml:"ERRORCODE"`
	Extra          extra    `xml:"Extra"`
}

// extra is the part of an answer whose names depend on the question.
type extra map[string]string

// UnmarshalXML implements xml.Unmarshaler. A name that comes twice is no answer.
func (e *extra) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	*e = extra{}
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			var text string
			if err := d.DecodeElement(&text, &t); err != nil {
				return err
			}
			if _, isThere := (*e)[t.Name.Local]; isThere {
				return fmt.Errorf("%s is there twice", t.Name.Local)
			}
			(*e)[t.Name.Local] = text
		case xml.EndElement:
			return nil
		}
	}
}

func (a answer) isApproved() bool { return a.ProcReturnCode == approved && a.Response == "Approved" }

// approved is the ProcReturnCode of a success.
const approved = "00"

// call sends a request and reads the answer, whether it is a success or not.
func (g *Gateway) call(ctx context.Context, elements ...element) (answer, error) {
	who := g.login()
	body := request(append([]element{{"Name", who.user}, {"Password", who.password}, {"ClientId", g.client}}, elements...))
	response, err := g.http.Do(ctx, gateway.Request{
		Method: "POST", URL: g.apiURL, Body: body, Header: gateway.Header{{Name: "Content-Type", Value: "text/xml; charset=ISO-8859-9"}},
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
	if a.Response == "" {
		return answer{}, plugkit.Distrust(gateway.Retryable, "the answer does not say whether it is a success")
	}
	return a, nil
}

// failure is what an answer that is no success means. What the tables lack is unknown.
func (a answer) failure() error {
	code := a.code()
	meaning, isListed := failures[code]
	if !isListed {
		code = a.ProcReturnCode
		meaning, isListed = failures[code]
	}
	if strings.HasPrefix(strings.ToLower(a.Text), noPermission) {
		code, meaning, isListed = noPermission, failures[noPermission], true
	}
	if !isListed {
		meaning = plugkit.Failure{Class: gateway.Retryable}
	}
	e := plugkit.Failures{code: meaning}.Error(code, a.Text, false)
	if code == noPermission {
		e.RawCode = a.ProcReturnCode
	}
	return e
}

// code is the platform's own error code.
func (a answer) code() string {
	if c := a.Extra["ERRORCODE"]; c != "" {
		return c
	}
	return a.Code
}

// request writes a request in the API's charset, in which anything that is no ASCII stands as a number.
func request(elements []element) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="ISO-8859-9"?>` + "\n<CC5Request>")
	for _, e := range elements {
		outer, inner, isNested := strings.Cut(e.name, "/")
		b.WriteString("<" + outer + ">")
		if isNested {
			b.WriteString("<" + inner + ">")
		}
		escape(&b, e.value)
		if isNested {
			b.WriteString("</" + inner + ">")
		}
		b.WriteString("</" + outer + ">")
	}
	b.WriteString("</CC5Request>\n")
	return b.Bytes()
}

func escape(b *bytes.Buffer, text string) {
	for _, r := range text {
		switch {
		case r == '<' || r == '>' || r == '&' || r == '"' || r == '\'' || r > '~':
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		case r >= ' ':
			b.WriteRune(r)
		}
	}
}
