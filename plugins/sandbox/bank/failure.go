package bank

// failure is how the first request for an order goes wrong.
type failure struct {
	code, title string
	keeps       bool // the order was kept before it went wrong
	problem     *problem
}

func failures() []failure {
	return []failure{
		{"40", "the first request: status 500, nothing kept", false,
			&problem{status: 500, code: "internal", message: "an error inside the sandbox"}},
		{"41", "the first request: status 429, Retry-After 2", false,
			&problem{status: 429, code: "too_many_requests", message: "slow down", retryAfterSeconds: 2}},
		{"42", "the first request: the connection breaks, nothing kept", false,
			&problem{isCut: true}},
		{"43", "the first request: the connection breaks, but the order is kept", true,
			&problem{isCut: true}},
		{"44", "the first request: status 200 with a failure in the body, nothing kept", false,
			&problem{status: 200, code: "temporarily_unavailable", message: "try again"}},
		{"45", "the first request: an HTML error page, but the order is kept", true,
			&problem{status: 502, raw: "<!doctype html><title>502</title><h1>Bad gateway</h1>"}},
		{"46", "the first request: half an answer, but the order is kept", true,
			&problem{status: 200, raw: `{"id":"dep_`}},
		{"47", "the first request: announced maintenance, nothing kept", false,
			&problem{status: 503, code: "maintenance", message: "back soon", retryAfterSeconds: 60}},
	}
}

// failure returns how this request for an order goes wrong: only the first one does. The caller holds b.mu.
func (b *Bank) failure(ref string, s *failure) *failure {
	if s == nil || b.hasFailed[ref] {
		return nil
	}
	if len(b.hasFailed) >= maxOrders {
		clear(b.hasFailed)
	}
	b.hasFailed[ref] = true
	return s
}
