package wallet

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
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
func (s *Statements) Candidates(
	ctx context.Context, by staff.Staff, lines ...wallet.BankLine,
) (map[core.ID][]wallet.MatchCandidate, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l wallet.BankLine) bool { return !l.MayCredit() })
	if len(lines) == 0 {
		return nil, nil
	}
	seen, err := s.Wallets.WalletsOf(ctx, by.Scope().OfDealers().DealerID)
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
		i := slices.IndexFunc(seen, func(w wallet.WalletBalance) bool { return w.ID == l.WalletID })
		if i < 0 {
			return nil, fault.New("statement.Candidates", fault.NotFound)
		}
		list = append(list, waitingLine{line: l, account: seen[i].Account()})
	}
	ranked, err := s.rank(ctx, list...)
	byLine := map[core.ID][]wallet.MatchCandidate{}
	for _, r := range ranked {
		byLine[r.Line.ID] = r.Candidates
	}
	return byLine, err
}

// waitingLine is a line that brought money to an account, and belongs to nothing yet.
type waitingLine struct {
	line    wallet.BankLine
	account owner.AccountKey
}

// rank ranks the deposits that each of the lines may belong to.
func (s *Statements) rank(ctx context.Context, lines ...waitingLine) ([]wallet.RankedLine, error) {
	var queries []wallet.CandidateQuery
	var senders []string
	for _, w := range lines {
		at := w.line.BookedAt
		queries = append(queries, wallet.CandidateQuery{
			Account: w.account, From: at.Add(-wallet.MatchBefore), Until: at.Add(maxEarlier), Limit: maxCandidates,
		})
		senders = append(senders, iban.Normalize(w.line.Party.IBAN))
	}
	deposits, err := s.Store.Candidates(ctx, queries...)
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
	ranked := make([]wallet.RankedLine, len(lines))
	for i, w := range lines {
		ranked[i] = wallet.Sightings{
			Line: w.line, Deposits: deposits[i], PaidFrom: paidFrom[i], Awaiting: awaiting[w.account.ID],
		}.Match()
	}
	return ranked, nil
}

// awaiting reads the deposits that staff credited before their money came, by account.
func (s *Statements) awaiting(ctx context.Context, lines []waitingLine) (map[int64][]wallet.Awaited, error) {
	var accounts []owner.AccountKey
	for _, w := range lines {
		if !slices.Contains(accounts, w.account) {
			accounts = append(accounts, w.account)
		}
	}
	found, err := s.UnitOfWork.Payments.AwaitingCredits(ctx, accounts, maxCandidates)
	by := map[int64][]wallet.Awaited{}
	for _, a := range found {
		by[a.Payment.Account.AccountID] = append(by[a.Payment.Account.AccountID], a)
	}
	return by, err
}
