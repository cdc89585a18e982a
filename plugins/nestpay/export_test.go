package nestpay

// What the tests hold against the published tables and vectors.
var (
	Hash     = hash
	Lines    = lines
	Failures = failures
)
