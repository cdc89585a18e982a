package report

import (
	"context"
	"fmt"
	"strconv"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

// DownloadPath is where files are downloaded: DownloadPath/{job}/{ticket}.
const DownloadPath = "/exports"

// Ticket returns a path that downloads a finished export once, within a minute, while the session with a fingerprint is
// live, and what the file is called. Faults: Forbidden; NotFound; NotReady: the export is not finished, or its file is deleted.
func (s *Jobs) Ticket(ctx context.Context, m app.Request, session string, id core.ID) (path, fileName string, err error) {
	err = s.UnitOfWork.Again(ctx, func() error {
		j, err := s.Job(ctx, m.Staff, id)
		if err != nil {
			return err
		}
		now := s.UnitOfWork.Clock.Now()
		if !j.HasFile(now) {
			return fault.New("job.Ticket", fault.NotReady, string(j.Status))
		}
		ticket, err := core.NewToken(s.UnitOfWork.Random)
		if err != nil {
			return fault.E("job.Ticket", fault.Internal, err)
		}
		fileName = s.FileName(j)
		path = DownloadPath + "/" + string(j.ID) + "/" + ticket
		return s.UnitOfWork.CommitFor(ctx, m, core.Changeset{j.WithTicket(sign.Fingerprint(ticket), session, now)})
	})
	if err != nil {
		return "", "", err
	}
	return path, fileName, nil
}

// Open takes a ticket back and returns the job whose file it opens, and who downloads it. Fault: NotFound, for whatever
// reason.
func (s *Jobs) Open(ctx context.Context, id core.ID, ticket string) (report.Job, staff.Staff, error) {
	const op = "job.Open"
	if !core.IsID(string(id)) || len(ticket) > maxCodeBytes {
		return report.Job{}, staff.Staff{}, fault.New(op, fault.NotFound)
	}
	j, err := s.Reports.Job(ctx, id)
	if err != nil {
		return report.Job{}, staff.Staff{}, err
	}
	now := s.UnitOfWork.Clock.Now()
	if !j.HasFile(now) || !j.Ticket.Opens(sign.Fingerprint(ticket), now) {
		return report.Job{}, staff.Staff{}, fault.New(op, fault.NotFound)
	}
	member, err := s.bearer(ctx, j)
	if err != nil {
		return report.Job{}, staff.Staff{}, fault.E(op, "", err)
	}
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return report.Job{}, staff.Staff{}, fault.E(op, fault.Internal, err)
	}
	err = s.UnitOfWork.CommitFor(ctx, app.Request{Staff: member}, j.DecideDownload(member.Actor(""), now, ids))
	if fault.Is(err, fault.Conflict) { // somebody else has used it
		err = fault.E(op, fault.NotFound, err)
	}
	return j, member, err
}

// bearer is whose session a job's ticket was given to, if it is live and they may still see the job. Fault: NotFound.
func (s *Jobs) bearer(ctx context.Context, j report.Job) (staff.Staff, error) {
	session, member, err := s.Staff.SessionByFingerprint(ctx, j.Ticket.Session)
	session.ExpiresAt = s.UnitOfWork.EndsAt(session.CreatedAt, session.ExpiresAt)
	if err == nil && (!session.IsLive(s.UnitOfWork.Clock.Now()) || !j.MayBeSeenBy(member)) {
		err = fault.New("job.bearer", fault.NotFound)
	}
	return member, err
}

// Copy returns the bytes of the file of a job that Open gave, piece by piece. It ends early with NotFound when the session ends
// or the member may no longer see the job.
func (s *Jobs) Copy(ctx context.Context, j report.Job, to func([]byte) error) error {
	for number := 1; number <= j.Chunks; number++ {
		if _, err := s.bearer(ctx, j); err != nil {
			return fault.E("job.Copy", "", err)
		}
		chunk, err := s.Reports.JobChunk(ctx, j.ID, number)
		if err != nil {
			return fault.E("job.Copy "+strconv.Itoa(number), "", err)
		}
		if err := to(chunk.Bytes); err != nil {
			return err
		}
	}
	return nil
}

// FileName is what a downloaded file is called.
func (s *Jobs) FileName(j report.Job) string {
	return fmt.Sprintf("%s-%s.%s", fileNames[j.Kind], j.CreatedAt.In(s.Zone).Format("20060102-150405"), j.Format)
}

// fileNames say what the files of each kind have.
var fileNames = map[report.JobKind]string{
	report.ExportJob: "transactions", report.StatementExport: "statement", report.LedgerExport: "ledger",
	report.BankLinesExport: "bank-lines", report.StatisticsExport: "statistics", report.AuditExport: "audit",
}
