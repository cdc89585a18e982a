package bunstore_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
)

// TestWhatCouldNotBeReadAgainIsRefused commits an amount with more digits than are read: kept, it would stop every worker
// that claims its row.
func TestWhatCouldNotBeReadAgainIsRefused(t *testing.T) {
	t.Parallel()
	endless := money.DecimalOf(new(big.Int).Exp(big.NewInt(7), big.NewInt(600), nil), 18)
	at := time.Unix(1_800_000_000, 0)
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		o := operation.Operation{
			ID: "O1", Version: 1, PaymentID: "P1", GatewayID: 1, Phase: operation.Open, CreatedAt: at, NextAt: at,
			Paid: gateway.Money{Amount: endless, Asset: gateway.TRY},
		}
		if err := s.Commit(t.Context(), core.Changeset{o}); !fault.Is(err, fault.Internal) {
			t.Errorf("it was taken: %v", err)
		}
		o.Paid = gateway.Money{}
		if err := s.Commit(t.Context(), core.Changeset{o}); err != nil {
			t.Error(err)
		}
	})
}
