// Package payment has the use cases of payments that no gateway works on: deposits, withdrawals, cards and what dealers start,
// their credits, and the delivery of their callbacks.
package payment
