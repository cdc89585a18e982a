package bank

import (
	"slices"
	"time"
)

func (b *Bank) listAccounts(*call) (any, *problem) {
	list := listing[Account]{}
	for _, a := range b.accounts {
		list.Items = append(list.Items, a.Account)
	}
	return list, nil
}

// accountNamed finds the call's account.
func (b *Bank) accountNamed(c *call) (*account, *problem) {
	a, ok := b.account(c.PathValue("account"))
	if !ok {
		return nil, missing("account")
	}
	return a, nil
}

// readBalance is behind the truth, and says so.
func (b *Bank) readBalance(c *call) (any, *problem) {
	a, p := b.accountNamed(c)
	if p != nil {
		return nil, p
	}
	return a.balance(c.now.Add(-b.balanceLag)), nil
}

func (b *Bank) readStatement(c *call) (any, *problem) {
	a, p := b.accountNamed(c)
	if p != nil {
		return nil, p
	}
	q, p := c.page()
	if p != nil {
		return nil, p
	}
	if q.to.Sub(q.from) > statementSpan {
		return nil, invalid("range_too_long", "a statement is of at most 3 days")
	}
	place := func(l *Line) (time.Time, int) { return l.BookedAt, l.no }
	listed := slices.DeleteFunc(slices.Clone(a.lines), func(l *Line) bool { return l.isHidden })
	return pageOf(q, listed, place, func(l *Line) Line { return *l }), nil
}
