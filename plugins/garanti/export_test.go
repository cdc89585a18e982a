package garanti

// What the tests hold against the published tables and vectors.
var (
	FormHash = formHash
	Sign     = sign
	IsSign   = isSign
	Sum      = sum
	Security = security
	IsReturn = isReturn
	Lines    = lines
	Failures = failures
)
