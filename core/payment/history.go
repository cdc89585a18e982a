package payment

// HistoryUse is what the histories of a month's payments are needed for, however old the payments are: each is something that may still
// change one of them, or that somebody still has to be told or to decide.
type HistoryUse struct {
	HasOpenPayments      bool // a payment has not ended
	HasWaitingCallbacks  bool // its receiver does not know yet
	HasOpenOperations    bool // something is under way at a gateway, or in doubt there
	HasOpenDiscrepancies bool // money is not where it should be
	HasOpenDisputes      bool // a payer's bank has not decided
	HasWaitingApprovals  bool // a second person has not decided
	HasRecentMoves       bool // a payment has changed lately, of which the history is kept for its full time
}

// IsNone reports whether nothing needs the histories: they may be deleted once they are as old as they are kept.
func (u HistoryUse) IsNone() bool { return u == HistoryUse{} }
