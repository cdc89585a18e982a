package gateway

// MaxAnswerBytes bounds what is read of a gateway's answer.
const MaxAnswerBytes = 4 << 20

// Request is one HTTP request of a plugin. Its host must be one of those that the descriptor or the configuration names.
type Request struct {
	Method string
	URL    string
	Header Header
	Body   []byte
}

// Response is the whole answer; redirects are not followed.
type Response struct {
	Status int
	Header Header
	Body   []byte
}

// ProbeReport says whether an account works. Probing changes nothing at the gateway.
type ProbeReport struct{ Checks []ProbeCheck }

// ProbeCheck is one thing that was tried.
type ProbeCheck struct {
	Name    string // "credentials", "notification signature"
	IsOK    bool
	Detail  string // for the operator; without secrets
	Failure Class  // of the failure
}

// IsOK reports whether every check succeeded, and there was one.
func (r ProbeReport) IsOK() bool {
	for _, c := range r.Checks {
		if !c.IsOK {
			return false
		}
	}
	return len(r.Checks) > 0
}
