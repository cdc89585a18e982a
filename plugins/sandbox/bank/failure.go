package bank

// failure is how the first request for an order goes wrong.
type failure struct {
	isKept  bool // the order was kept before it went wrong
	problem *problem
}

// failureScenarios are the rows of a first request that goes wrong; after that the order goes as 00.
func failureScenarios(ok []step) []scenario {
	rows := []scenario{
		{code: "40", title: "the first request: status 500, nothing kept",
			failure: &failure{problem: &problem{status: 500, code: "internal", message: "an error inside the sandbox"}}},
		{code: "41", title: "the first request: status 429, Retry-After 2", failure: &failure{
			problem: &problem{status: 429, code: "too_many_requests", message: "slow down", retryAfterSeconds: 2}}},
		{code: "42", title: "the first request: the connection breaks, nothing kept",
			failure: &failure{problem: &problem{isCut: true}}},
		{code: "43", title: "the first request: the connection breaks, but the order is kept",
			failure: &failure{isKept: true, problem: &problem{isCut: true}}},
		{code: "44", title: "the first request: status 200 with a failure in the body, nothing kept",
			failure: &failure{problem: &problem{status: 200, code: "temporarily_unavailable", message: "try again"}}},
		{code: "45", title: "the first request: an HTML error page, but the order is kept", failure: &failure{
			isKept: true, problem: &problem{status: 502, raw: "<!doctype html><title>502</title><h1>Bad gateway</h1>"}}},
		{code: "46", title: "the first request: half an answer, but the order is kept",
			failure: &failure{isKept: true, problem: &problem{status: 200, raw: `{"id":"dep_`}}},
		{code: "47", title: "the first request: announced maintenance, nothing kept", failure: &failure{
			problem: &problem{status: 503, code: "maintenance", message: "back soon", retryAfterSeconds: 60}}},
	}
	for i := range rows {
		rows[i].steps = ok
	}
	return rows
}

// takeWith takes an order whose first request may go wrong, before it is kept or after.
func (b *Bank) takeWith(ref string, f *failure, take func() (any, *problem)) (any, *problem) {
	if f == nil || b.hasFailed[ref] {
		return take()
	}
	if len(b.hasFailed) >= maxOrders {
		clear(b.hasFailed)
	}
	b.hasFailed[ref] = true
	if f.isKept {
		if _, p := take(); p != nil {
			return nil, p
		}
	}
	return nil, f.problem
}
