package operation

import (
	"time"
)

// HandedBack is an operation whose worker stops before it has begun: another one may work on it at once.
func (o Operation) HandedBack() Operation {
	o.Version++
	o.LeaseUntil = time.Time{}
	return o
}

// HandedBack is a notification whose worker stops before it is through: another one may work on it at once.
func (n Notification) HandedBack() Notification {
	n.Version++
	n.LeaseUntil = time.Time{}
	return n
}
