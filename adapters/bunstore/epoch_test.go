package bunstore_test

import (
	"reflect"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
)

// TestWhatTheReleaseBeforeHasFoundIsRead: it writes its one line, and no facts.
func TestWhatTheReleaseBeforeHasFoundIsRead(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		_, err := rawDatabase(t, cfg).ExecContext(t.Context(), `INSERT INTO remains (id, version, epoch, kind, subject, detail, by_kind, by_id, by_name, by_addr, reason)
			VALUES ('1', 1, 'freeze/1', 'paid_by_hand', 'payment/WIT-1', '250.00 TRY, pending', '', '', '', '', '')`)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Remains(t.Context(), epoch.RemainQuery{Freeze: "freeze/1", Paging: core.Paging[core.ID]{Limit: 2}})
		if err != nil || len(got) != 1 || got[0].Detail != "250.00 TRY, pending" || !reflect.DeepEqual(got[0].Facts, epoch.Facts{}) {
			t.Errorf("it is read as %+v, %v", got, err)
		}
	})
}
