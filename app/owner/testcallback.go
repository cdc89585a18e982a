package owner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// defaultTestTimeout bounds a test callback, so that its answer comes before that of the staff member's request is due.
const defaultTestTimeout = 8 * time.Second

// testsPerMinute bounds test callbacks to one owner.
const testsPerMinute = 6

// TestCallback asks for a test callback to one owner; exactly one id is set.
type TestCallback struct {
	ProviderID, SiteID, DealerID int64
	Kind                         payment.CallbackKind
}

// TestResult is what came of a test callback.
type TestResult struct {
	TrackingCode string
	URL          string
	Body         string // what was sent
	payment.DeliveryResult
}

// SendTestCallback sends a callback about no payment to the URL that is set for its kind, signed as real ones are, and
// gives what came of it. Nothing of it is kept but the audit row. Faults: Forbidden, NotFound, Invalid, RateLimited.
func (s *Directory) SendTestCallback(ctx context.Context, by app.Request, t TestCallback) (TestResult, error) {
	const op = "directory.SendTestCallback"
	if err := by.Require(staff.TestCallbacks); err != nil {
		return TestResult{}, err
	}
	owner, err := s.testOwner(ctx, by.Staff, t)
	if err != nil {
		return TestResult{}, fault.E(op, "", err)
	}
	if !s.Limiter.Take(ctx, "test-callback:"+owner.ref, 1, core.Rate{Events: testsPerMinute, Per: time.Minute}).OK {
		return TestResult{}, fault.New(op, fault.RateLimited)
	}
	now := s.UnitOfWork.Clock.Now()
	cb, err := payment.NewTestCallback(t.Kind, t.SiteID, now, s.UnitOfWork.Random)
	if err != nil {
		return TestResult{}, fault.E(op, fault.Internal, err)
	}
	message, err := cb.Message(owner.signer, now, s.Zone)
	if err != nil {
		return TestResult{}, fault.E(op, fault.Internal, err)
	}
	message.Headers = append(message.Headers, payment.CallbackHeader{Name: payment.TestHeader, Value: "true"})
	result := TestResult{TrackingCode: cb.Payload.TrackingCode, URL: owner.url, Body: string(message.Body)}
	entry, err := result.audit(t.Kind, owner.ref)
	if err == nil {
		err = s.save(ctx, by, entry, core.Changeset{})
	}
	if err != nil {
		return TestResult{}, fault.E(op, "", err)
	}
	result.DeliveryResult = s.send(ctx, owner.url, message)
	return result, nil
}

// audit is written before anything is sent.
func (r TestResult) audit(kind payment.CallbackKind, target string) (core.AuditEntry, error) {
	what, err := json.Marshal(map[string]any{"kind": kind, "url": r.URL, "trackingCode": r.TrackingCode})
	return core.AuditEntry{Action: "sendTestCallback", Target: target, After: string(what)}, err
}

// send waits no longer than for as long as a staff member waits.
func (s *Directory) send(ctx context.Context, url string, message payment.CallbackMessage) payment.DeliveryResult {
	timeout := s.Timeout
	if timeout <= 0 {
		timeout = defaultTestTimeout
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answered := s.Sender.Send(bounded, url, message)
	answered.Acknowledgement = message.Acknowledgement
	if answered.HTTPStatus == 0 && ctx.Err() == nil && errors.Is(bounded.Err(), context.DeadlineExceeded) {
		answered.Error = fmt.Sprintf("the receiver did not answer within %s", timeout)
	}
	return answered
}

// testOwner is who is sent a test callback, and where.
type testOwner struct {
	ref, url string
	signer   payment.Signer
}

// testOwner finds whom the question names, within the member's scope. Faults: NotFound, Invalid: not one owner, no such kind for it,
// or no URL.
func (s *Directory) testOwner(ctx context.Context, member staff.Staff, t TestCallback) (whose testOwner, err error) {
	var form core.Form
	kinds := payment.TestCallbackKinds()
	if t.DealerID != 0 {
		kinds = payment.TestDealerCallbackKinds()
	}
	if !slices.Contains(kinds, t.Kind) {
		form.Fail("kind", "field.choice", fmt.Sprint(kinds))
	}
	ids := slices.DeleteFunc([]int64{t.ProviderID, t.SiteID, t.DealerID}, func(id int64) bool { return id == 0 })
	if len(ids) != 1 {
		form.Fail("providerId", "field.one_of", "providerId, siteId, dealerId")
	}
	if err := form.Err("directory.testOwner"); err != nil {
		return whose, err
	}
	if t.DealerID != 0 {
		d, err := within(ctx, member, t.DealerID, s.UnitOfWork.Directory.Dealer)
		return testOwner{d.Ref(), payment.TargetOfDealer(d, t.Kind).URL, payment.SignerOfDealer(d)}.set(err)
	}
	var site owner.Site
	if t.SiteID != 0 {
		if site, err = within(ctx, member, t.SiteID, s.UnitOfWork.Directory.Site); err != nil {
			return whose, err
		}
		t.ProviderID = site.ProviderID
	}
	p, err := within(ctx, member, t.ProviderID, s.UnitOfWork.Directory.Provider)
	whose = testOwner{p.Ref(), payment.TargetOf(p, site, t.Kind).URL, payment.SignerOf(p)}
	if site.ID != 0 {
		whose.ref = site.Ref()
	}
	return whose.set(err)
}

// set reports whether there is a URL to send to.
func (o testOwner) set(err error) (testOwner, error) {
	if err == nil && o.url == "" {
		var form core.Form
		form.Fail("kind", "field.callback")
		err = form.Err("directory.testOwner.set")
	}
	return o, err
}
