package bank

import "context"

// StepOne delivers the one notification that is due first, on the caller's goroutine, and reports whether there was one.
func (b *Bank) StepOne(ctx context.Context) bool {
	b.mu.Lock()
	n, ok := b.notifications.pop(b.catchUp())
	b.mu.Unlock()
	if ok {
		b.deliver(ctx, n)
	}
	return ok
}
