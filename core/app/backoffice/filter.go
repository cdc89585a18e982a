package backoffice

import "github.com/vezne/vezne/core"

// CheckFilter tells what is wrong with the conditions of a query, as Transactions does. Fault: Invalid.
func CheckFilter(q core.PaymentQuery) error {
	q.Limit = DefaultPage
	return check(q)
}
