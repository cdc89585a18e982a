package gateway

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

// Ref is Vezne's own reference of one operation at a gateway: letters and digits, at most 40, unique, stable for the
// operation's life. A second attempt of a payment has another.
type Ref string

// Key is the idempotency key of one operation: kept before the first call, the same on every repetition.
type Key string

// MaxStateBytes bounds ExternalRef.State.
const MaxStateBytes = 4 << 10

// MaxAltValues is how many other names of an operation are kept.
const MaxAltValues = 32

// AltPayment names the gateway's own id of the payment in ExternalRef.Alt, where the main ID is another's, such as a form's
// token. What later names nothing else (a chargeback, a refund in the gateway's panel) is found by either of the two.
const AltPayment = "payment_id"

// Names are by what the gateway may name an operation alone: its main ID, and that of its payment.
func (e ExternalRef) Names() []string {
	return slices.DeleteFunc([]string{e.ID, e.Alt[AltPayment]}, func(name string) bool { return name == "" })
}

// ExternalRef is what the gateway calls an operation. All that a start, an answer or a trusted report has of it is kept
// together (Learn) and goes back to the plugin in later calls.
type ExternalRef struct {
	ID    string            `json:"id,omitempty"`    // the main one
	Alt   map[string]string `json:"alt,omitempty"`   // token, transaction id, address, …
	State []byte            `json:"state,omitempty"` // the plugin's own; encrypted at rest, never logged
}

// IsZero reports whether nothing is known.
func (e ExternalRef) IsZero() bool { return e.ID == "" && len(e.Alt) == 0 && len(e.State) == 0 }

// Learn is what is known together with what was seen later. The main ID stays, since a notification may name nothing else;
// another name is added, or takes the place of the one before, such as the payment of a second card; State is the plugin's
// to replace. What does not fit any more is left out: our own reference finds the operation all the same.
func (e ExternalRef) Learn(seen ExternalRef) ExternalRef {
	e.ID = cmp.Or(e.ID, seen.ID)
	if len(seen.State) > 0 {
		e.State = seen.State
	}
	alt := maps.Clone(e.Alt)
	for _, name := range slices.Sorted(maps.Keys(seen.Alt)) {
		if _, isKnown := alt[name]; seen.Alt[name] == "" || !isKnown && len(alt) >= MaxAltValues {
			continue
		}
		if alt == nil {
			alt = map[string]string{}
		}
		alt[name] = seen.Alt[name]
	}
	e.Alt = alt
	return e
}

// Customer is the payer or payee, as far as the provider told.
type Customer struct {
	ID, Username, FullName, FirstName, LastName, Email, Phone, IP string
}

// DepositOrder asks for a deposit.
type DepositOrder struct {
	Ref      Ref
	Key      Key
	Amount   Money  // what is due, in TRY
	Quote    *Quote // given by the plugin before, where it quotes
	Kind     Kind   // of the payment: a gateway may have several
	Option   string // the chosen Option's ID, where it lists options
	Customer Customer
	Fields   map[string]string // as DepositTraits.Needs asks
	// ReturnURL brings the customer back. It carries an unguessable id of its own and no personal data.
	ReturnURL *url.URL
	NotifyURL *url.URL
	ExpiresAt time.Time
	Locale    string // "tr", "en"
	Text      string // for the customer's statement; may be empty
}

// DepositStarted is the gateway's acceptance.
type DepositStarted struct {
	External  ExternalRef
	Next      NextStep
	Due       *Money    // what the customer pays, where it is not DepositOrder.Amount (a coin)
	ExpiresAt time.Time // what the gateway will really honour; zero: not stated
}

// StepKind names a next step.
type StepKind string

// Next steps.
const (
	StepRedirect StepKind = "redirect"
	StepForm     StepKind = "form"
	StepHTML     StepKind = "html"
	StepPay      StepKind = "pay"
	StepWait     StepKind = "wait"
	StepDone     StepKind = "done"
)

// NextStep is what the customer does now. Exactly one is set.
type NextStep struct {
	Redirect *Redirect     `json:"redirect,omitempty"`
	Form     *FormPost     `json:"form,omitempty"`
	HTML     *HostedHTML   `json:"html,omitempty"`
	Pay      *Instructions `json:"pay,omitempty"`
	Wait     *Wait         `json:"wait,omitempty"`
	Done     *Observation  `json:"done,omitempty"` // decided already; not kept
}

// Kind names the step that is set; empty when not exactly one is.
func (n NextStep) Kind() StepKind {
	var kind StepKind
	set := 0
	for k, is := range map[StepKind]bool{
		StepRedirect: n.Redirect != nil, StepForm: n.Form != nil, StepHTML: n.HTML != nil, StepPay: n.Pay != nil,
		StepWait: n.Wait != nil, StepDone: n.Done != nil,
	} {
		if is {
			kind, set = k, set+1
		}
	}
	if set != 1 {
		return ""
	}
	return kind
}

// Redirect sends the browser to the gateway's own page.
type Redirect struct {
	URL string `json:"url"`
}

// FormPost has the browser post a form to the gateway.
type FormPost struct {
	Action string      `json:"action"`
	Fields [][2]string `json:"fields"` // in order
}

// HostedHTML is a document of the gateway that is shown on a page of its own.
type HostedHTML struct {
	Document string   `json:"document"`
	Origins  []string `json:"origins"` // what it may load and post to: "https://api.example.com"
}

// Instructions is what the customer pays by hand.
type Instructions struct {
	Kind      Kind          `json:"kind"` // bank, crypto or wallet
	IBAN      string        `json:"iban,omitempty"`
	Holder    string        `json:"holder,omitempty"`
	Bank      string        `json:"bank,omitempty"`
	Reference string        `json:"reference,omitempty"` // what the payer must write
	Address   string        `json:"address,omitempty"`
	Memo      string        `json:"memo,omitempty"`
	Asset     Asset         `json:"asset"`
	Exact     money.Decimal `json:"exact"` // the amount to send
	QR        string        `json:"qr,omitempty"`
	ExpiresAt time.Time     `json:"expires_at,omitzero"`
	Confirms  int           `json:"confirms,omitempty"` // how many confirmations count as paid
	Lines     [][2]string   `json:"lines,omitempty"`    // anything else: label, value
}

// IBANs are the bank accounts that customers are told to pay to, wherever the instructions say so.
func (i *Instructions) IBANs() []string {
	if i == nil {
		return nil
	}
	texts := []string{i.IBAN, i.Address, i.Reference, i.Memo, i.QR}
	for _, l := range i.Lines {
		texts = append(texts, l[1])
	}
	var list []string
	for k, text := range texts {
		if text = iban.Normalize(text); k == 0 && iban.HasShape(text) || iban.IsValid(text) {
			list = append(list, text)
		}
	}
	return list
}

// Wait has nothing for the customer to do: the gateway is asked again.
type Wait struct {
	PollAfter time.Duration `json:"poll_after"`
}

// ReturnVisit is the customer's browser coming back. What it brought is untrusted.
type ReturnVisit struct {
	DepositKey
	Amount  Money // what was ordered
	Request Inbound
}

// DepositKey finds a deposit. External may be empty after a start whose outcome is unknown: Ref alone must do.
type DepositKey struct {
	Ref      Ref
	External ExternalRef
	Due      Money // what was to be paid, as StartDeposit said; to fill an Observation where the gateway states no amount of its own
}

// CancelOrder asks to close an unpaid deposit, or to void.
type CancelOrder struct {
	DepositKey
	Key Key
	Why string
}

// ReviewOrder decides about a deposit that the gateway holds: for its fraud check (Review), or until the money of an authorized card is
// taken (Authorized).
type ReviewOrder struct {
	DepositKey
	Key      Key  // another one for each of the two decisions
	Approves bool // the money is to be taken; false: it is to be let go, or given back
	Why      string
}

// Window is a half-open span of time.
type Window struct{ From, To time.Time }

// Cursor continues a listing; empty begins it, and empty in an answer ends it.
type Cursor string

// ObservationPage is one page of a listing.
type ObservationPage struct {
	Items []Observation
	Next  Cursor
}

// Option is one of several ways to pay or be paid at a gateway: a coin, a bank.
type Option struct {
	ID, Title string
	Asset     Asset
	Min, Max  money.Decimal // in TRY; 0: the descriptor's
	Needs     []FieldSpec
}

// QuoteRequest asks what an amount of TRY is in another asset.
type QuoteRequest struct {
	From Money
	To   Asset
}

// Quote is a rate that holds for a while.
type Quote struct {
	From   Money         `json:"from"`
	To     Money         `json:"to"`
	Rate   money.Decimal `json:"rate"` // of one unit of To, in From
	Source string        `json:"source,omitempty"`
	At     time.Time     `json:"at"`
	Until  time.Time     `json:"until,omitzero"`
}
