package owner

// Acknowledgement says which answers of a receiver acknowledge a callback; all others are failed attempts.
type Acknowledgement bool

// Acknowledgements.
const (
	Status200 Acknowledgement = false // HTTP 200 alone, as the contract says (Events: Acknowledgement)
	Any2xx    Acknowledgement = true  // what frameworks answer by themselves too: 201, 202, 204
)

// String is the setting as audit rows have it.
func (a Acknowledgement) String() string {
	if a == Any2xx {
		return "any_2xx"
	}
	return "status_200"
}

// Takes reports whether an HTTP status acknowledges; 0, no answer, never does.
func (a Acknowledgement) Takes(status int) bool {
	return status == 200 || a == Any2xx && status/100 == 2
}

// takesMore reports whether answers acknowledge that were failed attempts before: whoever may say so can have the loss of callbacks pass
// for their delivery.
func (a Acknowledgement) takesMore(than Acknowledgement) bool { return a == Any2xx && than != Any2xx }
