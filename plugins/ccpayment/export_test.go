package ccpayment

// What the tests hold against the published tables and vectors.
var (
	Seal     = seal
	Unseal   = unseal
	States   = states
	Told     = told
	Failures = failures
)
