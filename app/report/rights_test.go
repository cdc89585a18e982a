package report_test

import (
	"errors"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/exportfile"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// becomes changes a member, as another member or a second person would.
func becomes(t *testing.T, w *apptest.World, m staff.Staff, change func(*staff.Staff)) staff.Staff {
	t.Helper()
	now, err := w.Store.StaffByID(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	change(&now)
	now.Version++
	if err := w.Store.Commit(t.Context(), core.Changeset{now}); err != nil {
		t.Fatal(err)
	}
	return now
}

// session is a live session of a member.
func session(t *testing.T, w *apptest.World, m staff.Staff, fingerprint string) staff.Session {
	t.Helper()
	ids, err := core.NewIDs(w.Clock.Now(), w.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	now := w.Clock.Now()
	s := staff.Session{
		ID: ids.Next(), Version: 1, Fingerprint: fingerprint, StaffID: m.ID, CreatedAt: now, LastSeenAt: now, ProvenAt: now,
		ExpiresAt: now.Add(staff.SessionLife),
	}
	if err := w.Store.Commit(t.Context(), core.Changeset{s}); err != nil {
		t.Fatal(err)
	}
	return s
}

// less are changes that leave a member with less than they had.
func less(w *apptest.World) map[string]func(*staff.Staff) {
	return map[string]func(*staff.Staff){
		"of another dealer": func(m *staff.Staff) { m.Role, m.DealerID = staff.DealerStaff, w.OtherDealer.ID },
		"of no dealer":      func(m *staff.Staff) { m.Role, m.DealerID = staff.DealerStaff, 0 },
		"of a provider":     func(m *staff.Staff) { m.Role, m.DealerID, m.ProviderID = staff.ProviderStaff, 0, w.Provider.ID },
		"inactive":          func(m *staff.Staff) { m.IsActive = false },
	}
}

// TestAnExportIsOnlyForThoseWhoseRightsOfTodayCoverIt: who ordered it with more is shown nothing of it and downloads nothing, not by
// a link that was given out before either, and not the rest of a download that has begun.
func TestAnExportIsOnlyForThoseWhoseRightsOfTodayCoverIt(t *testing.T) {
	t.Parallel()
	for _, was := range []string{"viewer", "admin", "dealer"} {
		names := less(apptest.New(t))
		for name := range names {
			t.Run(was+" becomes "+name, func(t *testing.T) {
				t.Parallel()
				w := apptest.New(t)
				w.Jobs.Writers = exportfile.Writers()
				ended(t, w, 30, payment.Delivered)
				member := map[string]staff.Staff{"viewer": w.Viewer, "admin": w.Admin, "dealer": w.DealerStaff}[was]
				live := session(t, w, member, "fingerprint")
				j := export(t, w, member, reports.Export{Format: report.CSV})
				quiet(t, w.Jobs)
				at, _, err := w.Jobs.Ticket(t.Context(), by(member), live.Fingerprint, j.ID)
				if err != nil {
					t.Fatal(err)
				}
				opened, _, err := w.Jobs.Open(t.Context(), j.ID, path.Base(at))
				if err != nil {
					t.Fatal(err)
				}
				given, _, err := w.Jobs.Ticket(t.Context(), by(member), live.Fingerprint, j.ID)
				if err != nil {
					t.Fatal(err)
				}

				now := becomes(t, w, member, less(w)[name])
				isInactive := !now.IsActive
				_, err = w.Jobs.Job(t.Context(), now, j.ID)
				_, _, noTicket := w.Jobs.Ticket(t.Context(), by(now), live.Fingerprint, j.ID)
				_, noCancel := w.Jobs.Cancel(t.Context(), by(now), j.ID)
				for what, err := range map[string]error{"the job": err, "a ticket": noTicket, "cancelling": noCancel} {
					if !fault.Is(err, fault.NotFound) && (!isInactive || !fault.Is(err, fault.Forbidden)) {
						t.Errorf("%s: %v", what, err)
					}
				}
				listed, err := w.Jobs.Jobs(t.Context(), now, report.JobQuery{Paging: core.Paging[core.ID]{Limit: 10}})
				if len(listed) > 0 || (err != nil && !isInactive) {
					t.Errorf("lists %d jobs, %v", len(listed), err)
				}
				_, _, err = w.Jobs.Open(t.Context(), j.ID, path.Base(given))
				wants(t, err, fault.NotFound)
				err = w.Jobs.Copy(t.Context(), opened, func([]byte) error { return errors.New("a piece of the file") })
				wants(t, err, fault.NotFound)
			})
		}
	}
}

// TestADownloadEndsWithItsSession: another session of the same member is not the one that was given the link.
func TestADownloadEndsWithItsSession(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	fill(t, w, 3_000)
	live := session(t, w, w.Viewer, "fingerprint")
	session(t, w, w.Viewer, "another")
	j := export(t, w, w.Viewer, reports.Export{Format: report.CSV})
	quiet(t, w.Jobs)
	at, _, err := w.Jobs.Ticket(t.Context(), by(w.Viewer), live.Fingerprint, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	opened, _, err := w.Jobs.Open(t.Context(), j.ID, path.Base(at))
	if err != nil {
		t.Fatal(err)
	}
	pieces := 0
	err = w.Jobs.Copy(t.Context(), opened, func([]byte) error {
		pieces++
		return w.Store.Commit(t.Context(), core.Changeset{live.Revoke(w.Clock.Now())})
	})
	if wants(t, err, fault.NotFound); pieces != 1 || opened.Chunks < 2 {
		t.Errorf("%d pieces of %d", pieces, opened.Chunks)
	}
}

// TestWhoseRightsStillCoverAJobKeepsIt: an export of one dealer's is still for who sees more today.
func TestWhoseRightsStillCoverAJobKeepsIt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	ended(t, w, 3, payment.Delivered)
	of := export(t, w, w.DealerStaff, reports.Export{Format: report.CSV})
	all := export(t, w, w.Operator, reports.Export{Format: report.CSV})
	sent := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()}) // by the operator
	quiet(t, w.Jobs)
	auditor := becomes(t, w, w.DealerStaff, func(m *staff.Staff) { m.Role, m.DealerID = staff.Auditor, 0 })
	viewer := becomes(t, w, w.Operator, func(m *staff.Staff) { m.Role = staff.Viewer })
	for _, c := range []struct {
		who   staff.Staff
		kinds []report.JobKind
		want  []core.ID
	}{
		{auditor, nil, []core.ID{of.ID}},
		{viewer, nil, []core.ID{all.ID}},
		{viewer, []report.JobKind{report.ResendJob}, nil},
		{w.Admin, nil, []core.ID{sent.ID, all.ID, of.ID}},
	} {
		var got []core.ID
		listed, err := w.Jobs.Jobs(t.Context(), c.who, report.JobQuery{Kinds: c.kinds, Paging: core.Paging[core.ID]{Limit: 10}})
		for _, j := range listed {
			got = append(got, j.ID)
		}
		slices.Sort(got) // of one moment in any order
		slices.Sort(c.want)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s with %v: %v, want %v, %v", c.who.Role, c.kinds, got, c.want, err)
		}
	}
	_, err := w.Jobs.Job(t.Context(), viewer, sent.ID)
	wants(t, err, fault.NotFound)
}

// TestAJobStopsWhenItsMembersRightsNoLongerCoverIt: it does not go on with the old rights, and does nothing less under the same name.
func TestAJobStopsWhenItsMembersRightsNoLongerCoverIt(t *testing.T) {
	t.Parallel()
	for name := range less(apptest.New(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			w.Jobs.Writers = exportfile.Writers()
			payments := ended(t, w, 320, payment.Undeliverable)
			fill(t, w, 3_000)
			jobs := []report.Job{
				export(t, w, w.Operator, reports.Export{Format: report.XLSX}), resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()}),
			}
			before := w.UnitOfWork.Commits
			isChanged := false
			w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
				for _, j := range core.RowsOf[report.Job](c) {
					if !isChanged && j.Status == report.JobRunning && j.Done > 0 {
						isChanged = true
						becomes(t, w, w.Operator, less(w)[name])
					}
				}
				return nil
			}}
			quiet(t, w.Jobs)
			w.UnitOfWork.Commits = before
			for i, j := range jobs {
				got := reload(t, w, j)
				if got.Status != report.JobFailed || got.Error != string(fault.Forbidden) || !got.NextAt.IsZero() {
					t.Errorf("job %d is %s (%s)", i, got.Status, got.Error)
				}
				if got.HasFile(w.Clock.Now().Add(time.Second)) {
					t.Error("half an export has a file")
				}
			}
			if n := states(t, w, payments)[payment.Waiting]; n > 200 {
				t.Errorf("%d callbacks are sent again", n)
			}
		})
	}
}
