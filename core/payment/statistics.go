package payment

// IsApproved tells whether the money of a payment in this status went where it should.
func (s Status) IsApproved() bool { return s == Completed || s == Success || s == Refunded }
