package apptest

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

var _ ports.CallbackSender = (*CallbackSender)(nil)

// Sent is one attempt that a CallbackSender was given.
type Sent struct {
	URL     string
	Message payment.CallbackMessage
}

// CallbackSender sends nothing: it keeps what it was given and answers as the test says. It is safe for concurrent use.
type CallbackSender struct {
	mu     sync.Mutex
	answer func(context.Context, Sent) payment.DeliveryResult
	sent   []Sent
}

// NewCallbackSender returns a sender whose every receiver acknowledges.
func NewCallbackSender() *CallbackSender {
	c := &CallbackSender{}
	c.AnswerWith(func(context.Context, Sent) payment.DeliveryResult { return payment.DeliveryResult{HTTPStatus: 200} })
	return c
}

// AnswerWith sets what receivers answer from now on. The function is called without a lock and may block, for as long
// as a test wants an attempt to last.
func (c *CallbackSender) AnswerWith(answer func(context.Context, Sent) payment.DeliveryResult) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = answer
}

// Send implements ports.CallbackSender.
func (c *CallbackSender) Send(ctx context.Context, url string, message payment.CallbackMessage) payment.DeliveryResult {
	sent := Sent{URL: url, Message: payment.CallbackMessage{
		Body: bytes.Clone(message.Body), Headers: slices.Clone(message.Headers),
	}}
	c.mu.Lock()
	c.sent = append(c.sent, sent)
	answer := c.answer
	c.mu.Unlock()
	return answer(ctx, sent)
}

// Sent is everything sent so far, in order.
func (c *CallbackSender) Sent() []Sent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.sent)
}
