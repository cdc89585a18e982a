package storetest

import (
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/core/wallet"
)

// awkward is a text that breaks whoever builds SQL or JSON by hand; longName has the 191 characters that a name may
// have, in twice as many bytes.
const awkward = "İıŞğÜçÖ 'O''Neil' \"x\" \\ \\n \n\t %s %d ? $1 :a @b {{.}} <b>&amp;</b> ;-- /* 🏦 \u202e"

var longName = strings.Repeat("ğ", 191)

// enums are the types of fields that have certain values only, with these values.
var enums = enumsOf(
	payment.Methods(), payment.Statuses(), payment.CallbackStatuses(), firstSources(), callbackKinds(),
	testplan.Outcomes(), testplan.Deliveries(),
	[]owner.IBANUse{owner.StatementIBAN, owner.ManualIBAN, owner.GatewayIBAN},
	[]owner.AccountKind{owner.ManualAccount, owner.EIBANAccount}, lang.Tags(), staff.Roles(),
	staff.Themes(), staff.ViewLists(), staff.ViewSharings(),
	[]operation.Kind{operation.DepositOperation, operation.PayoutOperation, operation.RefundOperation},
	[]operation.Phase{operation.Planned, operation.Calling, operation.Open, operation.Late, operation.Closed},
	notification.Statuses(), discrepancy.Kinds(), discrepancy.Statuses(), gateway.Kinds(), gateway.States(), gateway.DisputeStates(), gateway.DisputeReasons(), gateway.PayoutStates(),
	[]gateway.RefundState{gateway.RefundDone, gateway.RefundPending}, []gateway.Trust{gateway.Signed, gateway.Answered},
	[]gateway.Direction{gateway.Incoming, gateway.Outgoing}, wallet.LineStatuses(), ledger.EntryKinds(),
	wallet.DifferenceKinds(),
	report.JobKinds(), report.JobStatuses(), report.PaymentSorts()[1:], report.ExportFormats(), report.ExportColumns(),
	report.SkipReasons(), fault.Codes(), approval.Statuses(),
	audit.Breaks(), []core.ActorKind{core.ByStaff, core.BySystem, core.ByCustomer},
)

// firstSources are those of a payment's first credit: a dispute's rows come after it, and have test cases of their own.
func firstSources() []payment.CreditSource {
	return slices.DeleteFunc(payment.CreditSources(), func(s payment.CreditSource) bool { return s == payment.CreditOfDispute })
}

func enumsOf(lists ...any) map[reflect.Type]reflect.Value {
	byType := map[reflect.Type]reflect.Value{}
	for _, list := range lists {
		byType[reflect.TypeOf(list).Elem()] = reflect.ValueOf(list)
	}
	return byType
}

func callbackKinds() []payment.CallbackKind {
	return []payment.CallbackKind{
		payment.DepositCallback, payment.EIBANDepositCallback, payment.WithdrawalCallback, payment.CreditCardCallback,
		payment.DealerCardCallback, payment.DealerDepositCallback, payment.DealerWithdrawalCallback, payment.DealerTransferCallback,
	}
}

// notKept are the fields that no store keeps, by type, the one that keeps a row from being read, and the one that a first credit has not.
var notKept = []string{"Party.NationalID", "NextStep.Done", "IdempotencyRecord.ReplacesBefore", "Credit.NeedsSecond", "Passkey.RemovedAt", "SavedView.RemovedAt",
	"PaymentQuery.Paging", "CallbackQuery.Paging", "Payment.Token", "Credit.DisputeID", "Callback.RestoredTo",
}

// filling makes values that are unlike each other, from what one row is told apart by.
type filling struct {
	id        core.ID
	n         int64
	enum      int64 // the place of the first enum in its values
	at        time.Time
	leaves    int64 // that have a value
	isExtreme bool  // values are as great as they may be
}

// filled is the row with a value in each field that has none, by reflection: a field that is added is filled, too.
func filled[R any](f *filling, row R) R {
	f.fill(reflect.ValueOf(&row).Elem(), "")
	return row
}

// fill sets a value to what has none, behind pointers and in lists too. It goes on counting either way, so that a field has
// the same place in every row of a kind.
func (f *filling) fill(v reflect.Value, name string) {
	f.leaves++
	if value, ok := f.leaf(v.Type(), name); ok {
		if v.IsZero() {
			v.Set(value)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !slices.Contains(notKept, v.Type().Name()+"."+v.Type().Field(i).Name) {
				f.fill(v.Field(i), v.Type().Field(i).Name)
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		f.fill(v.Elem(), name)
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			f.fill(v.Index(i), name)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), name)
		}
	default:
		panic(fmt.Sprintf("the kit has no value for %s, a %s", name, v.Type()))
	}
}

// leaf is a value of a type, if it is not made of others.
func (f *filling) leaf(t reflect.Type, name string) (reflect.Value, bool) {
	if values, ok := enums[t]; ok {
		return values.Index(int((f.enum + f.leaves) % int64(values.Len()))), true
	}
	var value any
	switch reflect.Zero(t).Interface().(type) {
	case time.Time:
		value = f.moment()
	case *time.Location:
		value = time.UTC
	case time.Duration:
		value = f.extreme(time.Duration(f.leaves)*1234*time.Millisecond, 200*365*24*time.Hour)
	case money.Amount:
		value = f.extreme(lira(f.leaves*100+1), lira(money.MaxMinor))
	case money.Decimal:
		value = f.decimal()
	case gateway.Asset:
		value = tether("1").Asset
	case core.Secret:
		value = core.NewSecret(f.text())
	case core.ID:
		value = f.id
	case core.Day:
		value = today
	case netip.Addr:
		value = netip.MustParseAddr("2001:db8::7%eth0")
	case netip.Prefix:
		value = whitelist()[f.leaves%int64(len(whitelist()))]
	case []byte:
		value = append([]byte(f.text()), 0x00, 0xff, 0xfe)
	case map[string]string:
		value = map[string]string{"a": f.text(), awkward: "", "": longName}
	default:
		return f.basic(t, name)
	}
	return reflect.ValueOf(value), true
}

// basic is a value of a type that the language has, by whatever name.
func (f *filling) basic(t reflect.Type, name string) (value reflect.Value, ok bool) {
	switch t.Kind() {
	case reflect.Bool:
		value = reflect.ValueOf(true)
	case reflect.String:
		text := f.text()
		if strings.HasSuffix(name, "IBAN") {
			text = fmt.Sprintf("TR%020d%04d", f.n, f.leaves)
		}
		value = reflect.ValueOf(text)
	case reflect.Int64:
		n := f.extreme(f.n+f.leaves, math.MaxInt64-f.n*1000-f.leaves)
		if name == "ID" {
			n = f.n
		}
		value = reflect.ValueOf(n)
	case reflect.Int:
		value = reflect.ValueOf(f.extreme(int(f.leaves), math.MaxInt-int(f.leaves)))
		switch name {
		case "Version":
			value = reflect.ValueOf(1)
		case "Sequence":
			value = reflect.ValueOf(int(f.n - firstNumber))
		}
	case reflect.Uint8:
		value = reflect.ValueOf(uint8(f.leaves))
	case reflect.Uint32:
		value = reflect.ValueOf(uint32(math.MaxUint32))
	default:
		return value, false
	}
	return value.Convert(t), true
}

func (f *filling) extreme(usual, extreme any) any {
	if f.isExtreme {
		return extreme
	}
	return usual
}

func (f *filling) text() string {
	return fmt.Sprint(f.n, " ", f.leaves, f.extreme(awkward, longName))
}

// moment is of the year 1970 or 9999 where it is extreme.
func (f *filling) moment() time.Time {
	moment := f.at.Add(time.Duration(f.leaves) * time.Second)
	if f.isExtreme {
		moment = time.UnixMicro(1).UTC()
		if f.leaves%2 == 0 {
			moment = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_000, time.UTC)
		}
	}
	return moment
}

func (f *filling) decimal() money.Decimal {
	return money.MustDecimal(fmt.Sprint(f.extreme(fmt.Sprintf("-%d.000001", f.leaves), "123456789012345678.123456789012345678")))
}

// argument is a value of a type for a call.
func (f *filling) argument(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[core.Identity]():
		return reflect.ValueOf(payment.Payment{ID: f.id}.Identity())
	case reflect.TypeFor[core.Changeset]():
		return reflect.ValueOf(core.Changeset{core.AuditEntry{ID: f.id}})
	case reflect.TypeFor[[]string](): // what is no IBAN is nobody's
		return reflect.ValueOf([]string{senderIBAN})
	}
	value := reflect.New(t).Elem()
	f.fill(value, "")
	switch q := value.Addr().Interface().(type) { // whose pages are no part of what is kept of them
	case *report.PaymentQuery:
		q.Limit = 1
	case *report.CallbackQuery:
		q.Limit = 1
	}
	return value
}
