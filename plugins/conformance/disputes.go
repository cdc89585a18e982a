package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func disputeCases(s suite) []testCase {
	reading := func(w *world) []query {
		_, id := w.disputed(gateway.DisputeNeedsResponse)
		return []query{newQuery("ReadDispute", func(w *world) (gateway.DisputeReport, error) { return w.readDispute(id) })}
	}
	return slices.Concat(
		[]testCase{
			{"a dispute is read by its id, with its deposit, its amount and its state", readsDispute},
			{"what a dispute has withdrawn and reinstated is told as totals", disputeTotals},
			{"a dispute in a status that nobody documented is unknown", unlistedDispute},
			{"a dispute that there is not is not found", noDispute},
			{"the answer about another dispute is not taken for ours", foreignDispute},
		},
		when(s.has(gateway.CanListDisputes), testCase{"every dispute of a window is listed once", listsDisputes}),
		when(s.d.Notify != nil, testCase{"a notification about a dispute names it, and says no money of it", namesDispute}),
		when(s.has(gateway.CanAcceptDispute), testCase{"a dispute that is accepted is lost, and one that has ended stays as it is", acceptsDispute}),
		when(s.has(gateway.CanAnswerDispute), answerCases()...),
		queryCases("reading a dispute", reading))
}

// disputed is a paid deposit with a dispute in a state.
func (w *world) disputed(s gateway.DisputeState) (deposit, string) {
	d := w.paid()
	if w.fake.Dispute == nil {
		w.t.Fatal("Fake.Dispute is missing: the kit has to open disputes at the gateway")
	}
	id, ok := w.fake.Dispute(d.order.Ref, s)
	if !ok || id == "" {
		w.t.Fatalf("Fake.Dispute must be able to make a dispute %q", s)
	}
	return d, id
}

// dispute reads one that must be there.
func (w *world) dispute(id string) gateway.DisputeReport {
	r, err := w.readDispute(id)
	w.ok("ReadDispute", err)
	return r
}

func readsDispute(w *world) {
	for _, s := range gateway.DisputeStates() {
		d := w.paid()
		id, ok := w.fake.Dispute(d.order.Ref, s)
		if !ok || s == gateway.DisputeUnknown {
			continue
		}
		r := w.dispute(id)
		isAbout := r.Ref == d.order.Ref || r.Ref == "" && slices.ContainsFunc(r.External.Names(), func(name string) bool { return w.isNameOf(d, name) })
		w.check(r.ID == id, "ReadDispute of %s says that it is %q: ID is the gateway's own, the same as long as the dispute lives", id, r.ID)
		w.check(isAbout, "ReadDispute names the deposit as %q and %v: say our reference, or what ReadDeposit gives as External", r.Ref, r.External.Names())
		w.check(r.State == s, "a dispute that is %s is reported as %s", s, r.State)
		w.check(isSame(r.Amount, d.due()), "a dispute of %s is reported as one of %s (lira or kuruş?)", d.due(), r.Amount)
		w.check(slices.Contains(gateway.DisputeReasons(), r.Reason), "Reason %q is none of %v: take DisputeOther for what has no word", r.Reason,
			gateway.DisputeReasons())
	}
}

// isNameOf reports whether a deposit is known by a name at the gateway.
func (w *world) isNameOf(d deposit, name string) bool {
	seen, err := w.readDeposit(d.key())
	w.ok("ReadDeposit", err)
	return slices.Contains(seen.External.Names(), name) || slices.Contains(d.started.External.Names(), name)
}

// disputeTotals: a dispute that is lost has taken its amount, one that is won and one that never was a chargeback have taken nothing.
func disputeTotals(w *world) {
	for s, takes := range map[gateway.DisputeState]bool{gateway.DisputeLost: true, gateway.DisputeWon: false, gateway.DisputeInquiry: false} {
		d := w.paid()
		id, ok := w.fake.Dispute(d.order.Ref, gateway.DisputeNeedsResponse)
		if s == gateway.DisputeInquiry {
			d = w.paid()
			id, ok = w.fake.Dispute(d.order.Ref, s)
		} else if ok {
			id, ok = w.fake.Dispute(d.order.Ref, s)
		}
		if !ok {
			continue
		}
		r := w.dispute(id)
		for name, m := range map[string]*gateway.Money{"Withdrawn": r.Withdrawn, "Reinstated": r.Reinstated} {
			w.check(m == nil || m.IsSameAsset(d.due()) && m.Amount.Sign() > 0, "%s of a dispute is %s: it is a positive amount in what was paid, or nil", name, m)
		}
		net, want := totalOf(r.Withdrawn).Sub(totalOf(r.Reinstated)), money.Decimal{}
		if takes {
			want = d.due().Amount
		}
		w.check(net.Cmp(want) == 0, "a dispute that is %s has Withdrawn %s and Reinstated %s: they differ by %s, and the gateway has taken %s. Both are "+
			"totals since the dispute began, without fees", s, r.Withdrawn, r.Reinstated, net, want)
		again := w.dispute(id)
		w.check(totalOf(again.Withdrawn).Cmp(totalOf(r.Withdrawn)) == 0 && totalOf(again.Reinstated).Cmp(totalOf(r.Reinstated)) == 0,
			"ReadDispute of the same dispute again has other totals: they rise only when the gateway moves money")
	}
}

func totalOf(m *gateway.Money) money.Decimal {
	if m == nil {
		return money.Decimal{}
	}
	return m.Amount
}

func unlistedDispute(w *world) {
	_, id := w.disputed(gateway.DisputeUnknown)
	r := w.dispute(id)
	w.check(r.State == gateway.DisputeUnknown, "a status that nobody documented is reported as %s: what is not in the table is %s", r.State,
		gateway.DisputeUnknown)
}

func noDispute(w *world) {
	_, id := w.disputed(gateway.DisputeNeedsResponse)
	_, err := w.readDispute(id + "0")
	w.check(gateway.IsClass(err, gateway.NotFound), "ReadDispute of a dispute that there is not must be an error of class %q: %v", gateway.NotFound, err)
}

func foreignDispute(w *world) {
	_, mine := w.disputed(gateway.DisputeWon)
	_, other := w.disputed(gateway.DisputeNeedsResponse)
	w.transport.record()
	w.dispute(other)
	w.transport.replay()
	r, err := w.readDispute(mine)
	w.check(err != nil, "the answer about the dispute %s was taken for that about %s (%s): hold the id in every answer to the one that was asked for",
		other, mine, r.State)
	w.transport.restore()
}

func listsDisputes(w *world) {
	var want []string
	for range 3 {
		_, id := w.disputed(gateway.DisputeNeedsResponse)
		want = append(want, id)
	}
	all := gateway.Window{From: Opening.AddDate(0, 0, -1), To: Opening.AddDate(0, 0, 1)}
	got := w.listed(all)
	slices.Sort(want)
	w.check(slices.Equal(got, want), "ListDisputes gives %q, and there are %q: each once", got, want)
	before := gateway.Window{From: Opening.AddDate(0, 0, -3), To: Opening.AddDate(0, 0, -2)}
	w.check(len(w.listed(before)) == 0, "ListDisputes of a window before they were opened gives %q", w.listed(before))
}

// listed is every page of a listing, sorted.
func (w *world) listed(span gateway.Window) []string {
	var ids []string
	var cursor gateway.Cursor
	for range 10 {
		page, err := w.listDisputes(span, cursor)
		w.ok("ListDisputes", err)
		ids = append(ids, page.IDs...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	w.check(cursor == "", "ListDisputes gives pages without end")
	slices.Sort(ids)
	return ids
}

func namesDispute(w *world) {
	d, id := w.disputed(gateway.DisputeNeedsResponse)
	in, ok := w.fake.Notification(d.order.Ref)
	if !ok {
		return
	}
	n, err := w.readNotification(in)
	w.ok("ReadNotification", err)
	w.check(slices.ContainsFunc(n.Disputes, func(c gateway.DisputeCue) bool { return c.ID == id && c.Trust <= w.d.Notify.Trust }),
		"the notification about the dispute %s names %v: put its id into Disputes, with the trust of the message, so that the gateway is asked", id, n.Disputes)
}

func acceptsDispute(w *world) {
	_, id := w.disputed(gateway.DisputeNeedsResponse)
	for range 2 { // the second time it has ended
		r, err := w.acceptDispute(id)
		w.ok("AcceptDispute", err)
		w.check(r.ID == id && r.State == gateway.DisputeLost, "AcceptDispute of %s reports %s as %s: it is %s then", id, r.ID, r.State, gateway.DisputeLost)
	}
	_, won := w.disputed(gateway.DisputeWon)
	before := w.fake.Mutations()
	r, err := w.acceptDispute(won)
	w.check(err != nil || r.State == gateway.DisputeWon, "AcceptDispute of a dispute that is won reports %s: it has ended, and stays as it is", r.State)
	w.unchanged(before, "AcceptDispute of a dispute that is won changed something at the gateway")
}

func answerCases() []testCase {
	return append([]testCase{
		{"evidence arrives whole, and the dispute says its key", answersDispute},
		{"a dispute that takes no evidence refuses it, and stays as it is", refusesEvidence},
	}, mutationCases("AnswerDispute", func(w *world) mutation {
		o := w.evidence()
		return mutation{
			do:    func(w *world) error { _, err := w.answerDispute(o); return err },
			count: func() int { return len(w.submitted(o.ID)) },
			find: func() error {
				r, err := w.readDispute(o.ID)
				w.check(err != nil || r.Answered == o.Key, "ReadDispute of a dispute that was answered says Answered %q, and the evidence had the Key %q: have "+
					"the gateway keep it with the dispute. Without it nobody knows whether an answer that was lost was taken", r.Answered, o.Key)
				return err
			},
			keys: gateway.KeyTraits{Mode: gateway.HeaderKey},
		}
	})...)
}

// evidence is a whole order of evidence against a dispute that waits for it.
func (w *world) evidence() gateway.EvidenceOrder {
	_, id := w.disputed(gateway.DisputeNeedsResponse)
	if w.fake.Evidence == nil {
		w.t.Fatal("Fake.Evidence is missing: the kit has to see what was submitted")
	}
	return gateway.EvidenceOrder{ID: id, Key: gateway.Key("evidence-" + id), Evidence: []gateway.Evidence{
		{Kind: gateway.EvidenceStatement, Text: "Gizem, ürünü 3 Mayıs'ta teslim aldı & \"imzaladı\"; + %41 <b>\n"},
		{Kind: gateway.EvidenceProduct, Text: "Çevrimiçi ders"},
		{Kind: gateway.EvidenceReceipt, Name: "dekont ğüşiöç \"1\".pdf", Type: "application/pdf", Content: []byte("%PDF-1.4\r\n--x\r\n\x00\xff")},
		{Kind: gateway.EvidenceCommunication, Name: "mail.png", Type: "image/png", Content: []byte("\x89PNG\r\n\x1a\n\x00\x01")},
		{Kind: gateway.EvidenceService, Name: "teslim.jpg", Type: "image/jpeg", Content: []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00")},
		{Kind: gateway.EvidenceOther, Name: "other.pdf", Type: "application/pdf", Content: []byte("%PDF-1.7\n")},
	}}
}

// submitted is what was submitted against a dispute.
func (w *world) submitted(id string) []map[gateway.EvidenceKind]string {
	return w.fake.Evidence(id)
}

func answersDispute(w *world) {
	o := w.evidence()
	before := w.dispute(o.ID)
	w.check(before.Answered == "", "a dispute that nobody has answered says Answered %q", before.Answered)
	r, err := w.answerDispute(o)
	w.ok("AnswerDispute", err)
	w.check(r.ID == o.ID && r.Answered == o.Key, "AnswerDispute of %s with the Key %q reports %q and Answered %q: report the dispute as it is then", o.ID, o.Key, r.ID,
		r.Answered)
	want := map[gateway.EvidenceKind]string{}
	for _, e := range o.Evidence {
		want[e.Kind] = e.Text
		if e.Kind.IsFile() {
			sum := sha256.Sum256(e.Content)
			want[e.Kind] = hex.EncodeToString(sum[:])
		}
	}
	got := w.submitted(o.ID)
	w.check(len(got) == 1 && maps.Equal(got[0], want), "the gateway has the evidence %v, and it was %v: each text as it is, each file byte for byte, and submitted "+
		"for good", got, want)
}

func refusesEvidence(w *world) {
	o := w.evidence()
	_, o.ID = w.disputed(gateway.DisputeWon)
	before := w.fake.Mutations()
	_, err := w.answerDispute(o)
	w.check(gateway.IsClass(err, gateway.Invalid) && gateway.HasNoEffect(err), "AnswerDispute of a dispute that is won gave %v: it must be an error of class %q "+
		"with effect none, so that it is not sent again", err, gateway.Invalid)
	w.unchanged(before, "AnswerDispute of a dispute that is won changed something at the gateway")
}
