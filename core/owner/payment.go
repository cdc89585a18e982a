package owner

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// OfferedAccount is the account shown to the customer, as it was at that moment, and the day whose limits the offer
// counts against. AccountID 0: not offered yet.
type OfferedAccount struct {
	AccountID int64
	BankName  string
	Holder    string
	IBAN      string
	Day       core.Day
	Held      money.Amount // what the offer holds of the day's limit
}
