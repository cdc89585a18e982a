package payment_test

import (
	"reflect"
	"testing"

	"github.com/vezne/vezne/core/payment"
)

func TestAnyUseKeepsAHistory(t *testing.T) {
	t.Parallel()
	if !(payment.HistoryUse{}).IsNone() {
		t.Error("what nobody needs is kept")
	}
	for i := range reflect.TypeFor[payment.HistoryUse]().NumField() {
		var u payment.HistoryUse
		reflect.ValueOf(&u).Elem().Field(i).SetBool(true)
		if u.IsNone() {
			t.Errorf("%s keeps nothing", reflect.TypeFor[payment.HistoryUse]().Field(i).Name)
		}
	}
}
