package storetest

import (
	"fmt"
	"reflect"

	"github.com/vezne/vezne/ports"
)

// Store is a whole storage, contract by contract.
type Store struct {
	ports.Committer
	ports.Sequences
	ports.Payments
	ports.Notes
	ports.TestPlans
	ports.Callbacks
	ports.Directory
	ports.Owners
	ports.Operations
	ports.Disputes
	ports.Wallets
	ports.Statements
	ports.Staff
	ports.Approvals
	ports.Reports
	ports.AuditLog
	ports.Vitals
	ports.Epochs
	ports.Retention
	ports.Installation
}

// Of is the storage that adapters make together: each contract is kept by the last of them that has it.
func Of(adapters ...any) (s Store) {
	contracts := reflect.ValueOf(&s).Elem()
	for i := range contracts.NumField() {
		contract := contracts.Field(i)
		for _, a := range adapters {
			if reflect.TypeOf(a).Implements(contract.Type()) {
				contract.Set(reflect.ValueOf(a))
			}
		}
		if contract.IsNil() {
			panic(fmt.Sprintf("no adapter has %v", contract.Type()))
		}
	}
	return s
}
