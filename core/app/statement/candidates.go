package statement

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
)

// maxEarlier is how long before its deposit is asked for money may come, and be its own.
const maxEarlier = 16 * time.Minute

// Sizes of matching.
const (
	maxCandidates = 200
	maxSenders    = 50
)

// Candidates ranks the deposits that each of the lines may belong to, by the line's ID; there are none for one that does
// not wait, and for one that may credit nothing. At most MaxPage lines. Fault: NotFound.
func (s *Service) Candidates(
	ctx context.Context, by core.Staff, lines ...core.BankLine,
) (map[core.ID][]core.CandidateDeposit, error) {
	if err := by.Require(core.ReadWallets); err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l core.BankLine) bool { return !l.MayCredit() })
	if len(lines) == 0 {
		return nil, nil
	}
	seen, err := s.Store.WalletsOf(ctx, by.Scope().OfDealers().DealerID)
	if err != nil {
		return nil, fault.E("statement.Candidates", "", err)
	}
	takenBack, err := s.takenBack(ctx, lines...)
	if err != nil {
		return nil, fault.E("statement.Candidates", "", err)
	}
	var list []waitingLine
	for _, l := range lines {
		if err := s.mayCreditBut(ctx, l, takenBack); fault.Is(err, fault.LineReversed) || fault.Is(err, fault.LineOfOrder) {
			continue
		} else if err != nil {
			return nil, fault.E("statement.Candidates", "", err)
		}
		i := slices.IndexFunc(seen, func(w core.WalletBalance) bool { return w.ID == l.WalletID })
		if i < 0 {
			return nil, fault.New("statement.Candidates", fault.NotFound)
		}
		list = append(list, waitingLine{line: l, accountID: seen[i].AccountID})
	}
	ranked, err := s.rank(ctx, list...)
	byLine := map[core.ID][]core.CandidateDeposit{}
	for _, r := range ranked {
		byLine[r.Line.ID] = r.Candidates
	}
	return byLine, err
}

// waitingLine is a line that brought money to an account, and belongs to nothing yet.
type waitingLine struct {
	line      core.BankLine
	accountID int64
}

// rank ranks the deposits that each of the lines may belong to.
func (s *Service) rank(ctx context.Context, lines ...waitingLine) ([]core.RankedLine, error) {
	var queries []core.CandidateQuery
	var senders []string
	for _, w := range lines {
		at := w.line.BookedAt
		queries = append(queries, core.CandidateQuery{
			AccountID: w.accountID, From: at.Add(-core.MatchBefore), Until: at.Add(maxEarlier), Limit: maxCandidates,
		})
		senders = append(senders, iban.Normalize(w.line.Party.IBAN))
	}
	deposits, err := s.Store.Candidates(ctx, queries)
	if err != nil {
		return nil, fault.E("statement.rank", "", err)
	}
	paidFrom, err := s.Store.PaidFrom(ctx, senders, maxSenders)
	if err != nil {
		return nil, fault.E("statement.rank", "", err)
	}
	awaiting, err := s.awaiting(ctx, lines)
	if err != nil {
		return nil, fault.E("statement.rank", "", err)
	}
	ranked := make([]core.RankedLine, len(lines))
	for i, w := range lines {
		ranked[i] = core.Sightings{
			Line: w.line, Deposits: deposits[i], PaidFrom: paidFrom[i], Awaiting: awaiting[w.accountID],
		}.Match()
	}
	return ranked, nil
}

// awaiting reads the deposits that staff credited before their money came, by account.
func (s *Service) awaiting(ctx context.Context, lines []waitingLine) (map[int64][]core.Awaited, error) {
	var accounts []int64
	for _, w := range lines {
		if !slices.Contains(accounts, w.accountID) {
			accounts = append(accounts, w.accountID)
		}
	}
	found, err := s.Store.AwaitingCredits(ctx, accounts, maxCandidates)
	by := map[int64][]core.Awaited{}
	for _, a := range found {
		by[a.Payment.Account.AccountID] = append(by[a.Payment.Account.AccountID], a)
	}
	return by, err
}
