package fault

import "errors"

// Cause returns what happened, without the trail of operations and codes that logs have: for sentences to a person.
func Cause(err error) error {
	var f *Error
	for errors.As(err, &f) && f.Err != nil {
		err = f.Err
		f = nil
	}
	return err
}
