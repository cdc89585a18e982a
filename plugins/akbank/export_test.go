package akbank

// What the tests hold against the published tables and vectors.
var (
	FormHash = formHash
	Sign     = sign
	IsSigned = isSigned
	Lines    = lines
	Failures = failures
)
