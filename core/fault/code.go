package fault

// Code says what kind of fault happened. It is stable: clients see it (GraphQL extensions.code), and core/lang has
// a sentence for each.
type Code string

// Faults of any operation.
const (
	// Internal is an unexpected fault; its cause is logged with the request id and never shown.
	Internal Code = "INTERNAL"
	// Invalid is a validation failure; the fields say which.
	Invalid Code = "INVALID"
	// NotFound: no such thing, or not the caller's.
	NotFound Code = "NOT_FOUND"
	// Conflict is a lost race (compare-and-set on a version failed): reload and decide again.
	Conflict Code = "CONFLICT"
	// Unavailable: the store or another part is out of reach; the same call may succeed later.
	Unavailable Code = "UNAVAILABLE"
	// Frozen: a backup was restored, and no money moves until two people have said that it may.
	Frozen Code = "FROZEN"
	// RateLimited: too many requests from this caller or address.
	RateLimited Code = "RATE_LIMITED"
)

// Faults of authentication, in the order in which the contract checks them (decisions: Authentication).
const (
	MissingHeaders    Code = "MISSING_HEADERS"
	InvalidAPIKey     Code = "INVALID_API_KEY"
	TimestampExpired  Code = "TIMESTAMP_EXPIRED"
	InvalidHash       Code = "INVALID_HASH"
	ProviderInactive  Code = "PROVIDER_INACTIVE"
	DealerInactive    Code = "DEALER_INACTIVE"
	AddressNotAllowed Code = "IP_NOT_ALLOWED"
	InvalidCredential Code = "INVALID_CREDENTIAL_KEY"
	SiteInactive      Code = "SITE_INACTIVE"
	// SignatureRequired: the caller has to sign with X-Signature, and did with X-Hash.
	SignatureRequired Code = "SIGNATURE_REQUIRED"
	// InvalidSignature: X-Signature does not match, or cannot be one.
	InvalidSignature Code = "INVALID_SIGNATURE"
	// InvalidNonce: X-Nonce is missing or not of its form.
	InvalidNonce Code = "INVALID_NONCE"
	// NonceUsed: the caller has used this X-Nonce before.
	NonceUsed Code = "NONCE_USED"
)

// Faults of staff access.
const (
	// Unauthenticated: no valid staff session.
	Unauthenticated Code = "UNAUTHENTICATED"
	// Forbidden: the role may not do this.
	Forbidden Code = "FORBIDDEN"
	// BadLogin: email or password is wrong (which of the two is not said).
	BadLogin Code = "BAD_LOGIN"
	// BadCode: the code or passkey is wrong, or counted already.
	BadCode Code = "BAD_CODE"
	// ChallengeOver: the challenge is not known, answered, expired, or was answered wrongly too often.
	ChallengeOver Code = "CHALLENGE_OVER"
	// FactorRequired: the role demands a second factor, which this member has yet to set up.
	FactorRequired Code = "SECOND_FACTOR_REQUIRED"
	// StepUpRequired: the session has not proven lately whose it is.
	StepUpRequired Code = "STEP_UP_NEEDED"
	// LastAdmin: nobody else could administer staff.
	LastAdmin Code = "LAST_ADMIN"
	// BadInvitation: the invitation is not known, accepted, revoked or expired.
	BadInvitation Code = "INVITATION_INVALID"
	// TooSlow: whoever subscribed takes its events more slowly than they come.
	TooSlow Code = "TOO_SLOW"
	// TooManyStreams: the session has as many subscriptions as it may have.
	TooManyStreams Code = "TOO_MANY_SUBSCRIPTIONS"
)

// Faults of payments.
const (
	// AlreadyFinal: the payment has ended; a repeated decision changes nothing and says so.
	AlreadyFinal Code = "ALREADY_FINAL"
	// NotAllowed: the payment's status does not allow this move.
	NotAllowed Code = "NOT_ALLOWED_IN_STATUS"
	// WrongMethod: the decision is for another kind of payment (approving a withdrawal, say).
	WrongMethod Code = "WRONG_METHOD"
	// NoAccount: no IBAN account fits the amount under its limits (D2: NO_AVAILABLE_IBAN).
	NoAccount Code = "NO_AVAILABLE_IBAN"
	// NoGateway: no gateway can take this payment now.
	NoGateway Code = "NO_AVAILABLE_GATEWAY"
	// GatewayUnusable: the gateway account can't be opened as it is configured.
	GatewayUnusable Code = "GATEWAY_UNUSABLE"
	// GatewayFailed: the gateway refused or could not be reached; the first argument is its own word.
	GatewayFailed Code = "GATEWAY_FAILED"
	// CardsDisabled: card payments are not enabled for the provider or its dealer (E7).
	CardsDisabled Code = "CREDIT_CARD_DISABLED"
	// Insufficient: the wallet's available balance is less than the amount (D6).
	Insufficient Code = "INSUFFICIENT_BALANCE"
	// NoWallet: the wallet is not assigned to the dealer (D5, D6).
	NoWallet Code = "WALLET_NOT_ASSIGNED"
	// BadIBAN: the recipient's IBAN is not valid (D6).
	BadIBAN Code = "INVALID_IBAN"
	// BelowMinimum: less than the smallest transfer (D6); the argument is that one.
	BelowMinimum Code = "MIN_AMOUNT_ERROR"
	// NoTransfer: no such transfer, or another dealer's (D7).
	NoTransfer Code = "TRANSFER_NOT_FOUND"
	// DateRangeExceeded: more than three days (D5).
	DateRangeExceeded Code = "DATE_RANGE_EXCEEDED"
	// BadDateRange: the end is before the start (D5).
	BadDateRange Code = "INVALID_DATE_RANGE"
	// MethodDisabled: the dealer's switch for this method is off.
	MethodDisabled Code = "METHOD_DISABLED"
	// SiteTokenRefused: a site token calls what only the dealer's own key may (D4 to D7).
	SiteTokenRefused Code = "SITE_TOKEN_REFUSED"
	// Claimed: another staff member has the withdrawal; the argument is who.
	Claimed Code = "CLAIMED"
	// ClaimLapsed: another staff member had the withdrawal and may have paid it; the argument is who.
	ClaimLapsed Code = "CLAIM_LAPSED"
	// NotClaimed: only who has claimed the withdrawal may say this.
	NotClaimed Code = "NOT_CLAIMED"
	// Blocked: this customer may not pay.
	Blocked Code = "CUSTOMER_BLOCKED"
	// TooManyOpen: the customer, or the site, has as many open deposits as it may have.
	TooManyOpen Code = "TOO_MANY_OPEN_DEPOSITS"
	// NotAdjustable: a day's difference can't be settled by an adjustment; the argument is why.
	NotAdjustable Code = "NOT_ADJUSTABLE"
	// MoreThanSeen: no more can be credited than was seen; the argument is what was.
	MoreThanSeen Code = "MORE_THAN_SEEN"
	// Changed: the payment's amount is not what the caller saw; the argument is what it is now.
	Changed Code = "AMOUNT_CHANGED"
	// Moved: the payment is not any more what the caller saw.
	Moved Code = "CHANGED_MEANWHILE"
	// Uncredited: a commit would complete a payment without the money behind it, or credit more than there is.
	Uncredited Code = "UNCREDITED"
	// LineReversed: the bank has taken the line's money back, so that it credits nothing; the argument is the line that did.
	LineReversed Code = "LINE_REVERSED"
	// LineOfOrder: the line's money is for a deposit through a gateway, whose business it is; the argument is its code.
	LineOfOrder Code = "LINE_OF_ORDER"
	// LineAwaited: a deposit that was credited by hand waits for the line's money; the argument is its code.
	LineAwaited Code = "LINE_AWAITED"
	// BankAccountTaken: what comes in to the bank account is told by a wallet's statement, by staff or by a gateway already:
	// only one of them ever does.
	BankAccountTaken Code = "BANK_ACCOUNT_TAKEN"
	// Expired: the payment's time is over.
	Expired Code = "EXPIRED"
	// KeyReused: the Idempotency-Key was used with another body.
	KeyReused Code = "IDEMPOTENCY_KEY_REUSED"
	// KeyMissing: the caller's creating calls need an Idempotency-Key.
	KeyMissing Code = "IDEMPOTENCY_KEY_REQUIRED"
	// NoCallback: the payment has no callback that could be sent again.
	NoCallback Code = "NO_CALLBACK"
	// Replaced: a later callback of the same payment says otherwise.
	Replaced Code = "CALLBACK_REPLACED"
	// Outdated: what the callback reports was given back since.
	Outdated Code = "CALLBACK_OUTDATED"
	// NotReady: the export is not finished, or its file is deleted; the argument is the job's state.
	NotReady Code = "EXPORT_NOT_READY"
	// TooManyRows: a file of the format does not hold what the export matches.
	TooManyRows Code = "TOO_MANY_ROWS"
	// Duplicate: a commit met an idempotency record that exists already; the first answer is to be given again.
	Duplicate Code = "DUPLICATE"
)

// Faults of four eyes.
const (
	// ApprovalNeeded: a second person has to approve this; the request waits for one. The argument is its id.
	ApprovalNeeded Code = "APPROVAL_NEEDED"
	// ApprovalDecided: the request does not wait any more; the argument is its state.
	ApprovalDecided Code = "APPROVAL_DECIDED"
	// ApprovalStale: what was asked for would now do something else than what was to be approved.
	ApprovalStale Code = "APPROVAL_STALE"
	// OwnRequest: nobody approves or refuses what they asked for.
	OwnRequest Code = "OWN_REQUEST"
	// NoSecondPerson: nobody else here could approve this, so that it is refused instead of waiting.
	NoSecondPerson Code = "NO_SECOND_PERSON"
	// AwaitsApproval: the withdrawal waits for a second person's approval; the argument is who asked for it.
	AwaitsApproval Code = "AWAITS_APPROVAL"
)

// Faults of a request's shape, before any use case sees it.
const (
	InvalidJSON      Code = "INVALID_JSON"
	BodyTooLarge     Code = "BODY_TOO_LARGE"
	RouteNotFound    Code = "ROUTE_NOT_FOUND"
	MethodNotAllowed Code = "METHOD_NOT_ALLOWED"
	CrossSite        Code = "CROSS_SITE_REQUEST"
)

// Codes lists every code, so that tests can hold each adapter's table and each language complete.
func Codes() []Code {
	return []Code{
		Internal, Invalid, NotFound, Conflict, Unavailable, Frozen, RateLimited,
		MissingHeaders, InvalidAPIKey, TimestampExpired, InvalidHash, SignatureRequired, InvalidSignature, InvalidNonce, NonceUsed,
		ProviderInactive, DealerInactive,
		AddressNotAllowed, InvalidCredential, SiteInactive,
		Unauthenticated, Forbidden, BadLogin, BadCode, ChallengeOver, FactorRequired, StepUpRequired, LastAdmin, BadInvitation,
		TooSlow, TooManyStreams,
		AlreadyFinal, NotAllowed, WrongMethod, NoAccount, NoGateway, GatewayUnusable, GatewayFailed,
		CardsDisabled, Insufficient, NoWallet, BadIBAN, BelowMinimum, NoTransfer,
		DateRangeExceeded, BadDateRange, MethodDisabled, SiteTokenRefused, Claimed, ClaimLapsed, NotClaimed, Blocked, TooManyOpen,
		NotAdjustable, MoreThanSeen, Changed, Moved, Uncredited, Expired, KeyReused, KeyMissing, Duplicate,
		LineReversed, LineOfOrder, LineAwaited, BankAccountTaken,
		NoCallback, Replaced, Outdated, NotReady, TooManyRows,
		ApprovalNeeded, ApprovalDecided, ApprovalStale, OwnRequest, NoSecondPerson, AwaitsApproval,
		InvalidJSON, BodyTooLarge, RouteNotFound, MethodNotAllowed, CrossSite,
	}
}
