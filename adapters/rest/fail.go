package rest

import (
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// unavailableRetrySeconds is the Retry-After of a 503: a database's failover takes about so long.
const unavailableRetrySeconds = "5"

// frozenRetrySeconds is the Retry-After of a frozen installation, which people have to thaw.
const frozenRetrySeconds = "60"

// answer is what a fault becomes on the wire: the HTTP status and the text of "error", which clients compare and which
// is therefore in no language (the contract's Errors tables).
type answer struct {
	status int
	text   string
}

// answers is the one table from fault to HTTP.
var answers = map[fault.Code]answer{
	fault.Internal:    {http.StatusInternalServerError, "Internal error"},
	fault.Invalid:     {http.StatusUnprocessableEntity, "Validation failed"},
	fault.NotFound:    {http.StatusNotFound, "Not found"},
	fault.Conflict:    {http.StatusConflict, "Conflict"},
	fault.Unavailable: {http.StatusServiceUnavailable, "Service unavailable"},
	fault.Frozen:      {http.StatusServiceUnavailable, "Service unavailable"},
	fault.RateLimited: {http.StatusTooManyRequests, "Too many requests"},

	fault.MissingHeaders:    {http.StatusUnauthorized, "Missing required headers"},
	fault.InvalidAPIKey:     {http.StatusUnauthorized, "Invalid API key"},
	fault.TimestampExpired:  {http.StatusUnauthorized, "Request timestamp expired"},
	fault.InvalidHash:       {http.StatusUnauthorized, "Invalid hash"},
	fault.ProviderInactive:  {http.StatusForbidden, "Provider account is inactive"},
	fault.DealerInactive:    {http.StatusForbidden, "Dealer account is inactive"},
	fault.AddressNotAllowed: {http.StatusForbidden, "IP address not allowed"},
	fault.InvalidCredential: {http.StatusUnauthorized, "Yetkisiz Credential Key"},
	fault.SiteInactive:      {http.StatusForbidden, "Site is inactive"},
	fault.SignatureRequired: {http.StatusUnauthorized, "Request signature required"},
	fault.InvalidSignature:  {http.StatusUnauthorized, "Invalid signature"},
	fault.InvalidNonce:      {http.StatusUnauthorized, "Invalid nonce"},
	fault.NonceUsed:         {http.StatusUnauthorized, "Nonce already used"},

	fault.Unauthenticated: {http.StatusUnauthorized, "Not signed in"},
	fault.Forbidden:       {http.StatusForbidden, "Forbidden"},
	fault.BadLogin:        {http.StatusUnauthorized, "Invalid email or password"},

	fault.TooSlow:        {http.StatusServiceUnavailable, "Subscriber too slow"},
	fault.TooManyStreams: {http.StatusTooManyRequests, "Too many subscriptions"},

	fault.AlreadyFinal:    {http.StatusConflict, "Payment has ended"},
	fault.NotAllowed:      {http.StatusConflict, "Not allowed in this status"},
	fault.WrongMethod:     {http.StatusConflict, "Wrong kind of payment"},
	fault.NoAccount:       {http.StatusUnprocessableEntity, "No account available"},
	fault.NoGateway:       {http.StatusUnprocessableEntity, "No gateway available"},
	fault.CardsDisabled:   {http.StatusForbidden, "Credit card payment is not enabled for this dealer"},
	fault.GatewayUnusable: {http.StatusConflict, "Gateway cannot be used"},
	fault.GatewayFailed:   {http.StatusBadGateway, "Gateway failed"},
	fault.Blocked:         {http.StatusForbidden, "Customer is blocked"},
	fault.TooManyOpen:     {http.StatusUnprocessableEntity, "Too many open deposits"},
	fault.Expired:         {http.StatusConflict, "Payment has expired"},
	fault.KeyReused:       {http.StatusConflict, "Idempotency key reused"},
	fault.KeyMissing:      {http.StatusBadRequest, "Idempotency key required"},
	fault.Duplicate:       {http.StatusConflict, "Duplicate request"},

	fault.MethodDisabled:    {http.StatusForbidden, "Payment method is disabled"},
	fault.SiteTokenRefused:  {http.StatusForbidden, "Not allowed for site tokens"},
	fault.NoWallet:          {http.StatusForbidden, "Wallet is not assigned to this dealer"},
	fault.Insufficient:      {http.StatusUnprocessableEntity, "Insufficient balance"},
	fault.BadIBAN:           {http.StatusUnprocessableEntity, "Invalid IBAN"},
	fault.BelowMinimum:      {http.StatusUnprocessableEntity, "Amount below the minimum"},
	fault.NoTransfer:        {http.StatusNotFound, "Transfer not found"},
	fault.DateRangeExceeded: {http.StatusUnprocessableEntity, "Date range exceeded"},
	fault.BadDateRange:      {http.StatusUnprocessableEntity, "Invalid date range"},

	fault.NotAdjustable:    {http.StatusConflict, "Difference can't be adjusted"},
	fault.MoreThanSeen:     {http.StatusUnprocessableEntity, "More than was seen"},
	fault.Moved:            {http.StatusConflict, "Changed meanwhile"},
	fault.Changed:          {http.StatusConflict, "Amount has changed"},
	fault.Uncredited:       {http.StatusConflict, "No money behind the credit"},
	fault.LineReversed:     {http.StatusConflict, "Bank line was taken back"},
	fault.LineAwaited:      {http.StatusConflict, "Bank line is awaited by another deposit"},
	fault.LineOfOrder:      {http.StatusConflict, "Bank line belongs to a gateway's order"},
	fault.BankAccountTaken: {http.StatusConflict, "Bank account is taken"},

	fault.Claimed:     {http.StatusConflict, "Claimed by somebody else"},
	fault.ClaimLapsed: {http.StatusConflict, "Claim has lapsed"},
	fault.NotClaimed:  {http.StatusConflict, "Not claimed"},

	fault.NoCallback:      {http.StatusConflict, "No callback"},
	fault.Outdated:        {http.StatusConflict, "Callback outdated"},
	fault.Replaced:        {http.StatusConflict, "Callback was replaced"},
	fault.NotReady:        {http.StatusConflict, "Export is not ready"},
	fault.TooManyRows:     {http.StatusUnprocessableEntity, "Too many rows"},
	fault.BadCode:         {http.StatusUnauthorized, "Wrong code"},
	fault.ChallengeOver:   {http.StatusUnauthorized, "Challenge is over"},
	fault.FactorRequired:  {http.StatusForbidden, "Second factor required"},
	fault.StepUpRequired:  {http.StatusForbidden, "Step-up required"},
	fault.LastAdmin:       {http.StatusConflict, "Last admin"},
	fault.BadInvitation:   {http.StatusGone, "Invitation is not valid"},
	fault.ApprovalNeeded:  {http.StatusConflict, "Approval needed"},
	fault.ApprovalDecided: {http.StatusConflict, "Request is not pending"},
	fault.ApprovalStale:   {http.StatusConflict, "Request is stale"},
	fault.OwnRequest:      {http.StatusForbidden, "Own request"},
	fault.NoSecondPerson:  {http.StatusConflict, "No second person"},
	fault.AwaitsApproval:  {http.StatusConflict, "Awaits approval"},

	fault.InvalidJSON:      {http.StatusBadRequest, "Invalid JSON"},
	fault.BodyTooLarge:     {http.StatusRequestEntityTooLarge, "Request body too large"},
	fault.RouteNotFound:    {http.StatusNotFound, "Not found"},
	fault.MethodNotAllowed: {http.StatusMethodNotAllowed, "Method not allowed"},
	fault.CrossSite:        {http.StatusForbidden, "Cross-site request refused"},
}

// LanguageOf picks the language of an answer: Accept-Language, else the caller's own, else Turkish.
func LanguageOf(r *http.Request, own lang.Tag) lang.Tag {
	return lang.FromHeader(r.Header.Get("Accept-Language"), own)
}

// Fail answers a request that failed, in the shape that its fault has in the contract. What has no code is Internal;
// its cause and that of Unavailable go to the log, with the request id, and never to the caller.
func Fail(w http.ResponseWriter, r *http.Request, tag lang.Tag, err error) {
	code, x := fault.CodeOf(err), Of(r)
	x.fault = code
	a, ok := answers[code]
	if !ok {
		code, a = fault.Internal, answers[fault.Internal]
	}
	body := NewObject().Bool("success", false).Text("error", a.text)
	switch code {
	case fault.Invalid:
		fields := fault.FieldsOf(err)
		body.Texts("messages", messages(tag, fields)).Objects("errors", len(fields), func(o *Object, i int) {
			o.Text("field", fields[i].Name).Text("code", fieldCode(fields[i]))
		})
	case fault.TooManyOpen: // a 422 has messages (decisions: Open deposits)
		body.Texts("messages", []string{lang.Say(tag, string(code))})
	case fault.Internal:
		logFault(r, x, slog.LevelError, err)
		body.Text("message", lang.Say(tag, string(code))).Text("request_id", x.RequestID)
	case fault.Unavailable:
		logFault(r, x, slog.LevelWarn, err)
		w.Header().Set("Retry-After", unavailableRetrySeconds)
		body.Text("message", lang.Say(tag, string(code)))
	case fault.Frozen:
		w.Header().Set("Retry-After", frozenRetrySeconds)
		body.Text("message", lang.Say(tag, string(code)))
	case fault.BodyTooLarge:
		w.Header().Set("Connection", "close") // the server does not read the rest either
		body.Text("message", lang.Say(tag, string(code)))
	default:
		body.Text("message", sentenceOf(tag, string(code), err))
	}
	WriteJSON(w, a.status, body.End())
}

// Note has the log tell of a fault that an endpoint answers in a shape of its own.
func Note(r *http.Request, err error) { Of(r).fault = fault.CodeOf(err) }

// fieldCode is why a field failed, the same in every language: "required".
func fieldCode(f fault.Field) string { return f.Key[strings.LastIndexByte(f.Key, '.')+1:] }

// sentenceOf is the sentence of a key with the fault's arguments, and behind it what the fault hints at.
func sentenceOf(tag lang.Tag, key string, err error) string {
	said := lang.Say(tag, key, fault.ArgsOf(err)...)
	for _, hint := range fault.HintsOf(err) {
		said += " " + lang.Say(tag, hint.Key, hint.Args...)
	}
	return said
}

func messages(tag lang.Tag, fields []fault.Field) []string {
	said := make([]string, len(fields))
	for i, f := range fields {
		said[i] = lang.Say(tag, f.Key, f.Args...)
	}
	return said
}

func logFault(r *http.Request, x *Exchange, level slog.Level, err error) {
	x.log.LogAttrs(r.Context(), level, "fault", slog.String("request_id", x.RequestID),
		slog.String("caller", x.Caller), slog.String("cause", err.Error()))
}

// jsonHeaders are those of every JSON answer; nobody writes into their values.
var jsonHeaders = http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Cache-Control": {"no-store"}}

// WriteJSON sends a whole JSON answer.
func WriteJSON(w http.ResponseWriter, status int, body []byte) {
	maps.Copy(w.Header(), jsonHeaders)
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone is nobody to tell
}

// SetRateLimit says how much of a limit is left, where there is one, and how long a refused caller has to wait.
func SetRateLimit(h http.Header, a core.Allowance) {
	if a.Limit > 0 {
		h.Set("RateLimit-Limit", strconv.Itoa(a.Limit))
		h.Set("RateLimit-Remaining", strconv.Itoa(a.Remaining))
		h.Set("RateLimit-Reset", seconds(max(a.Reset, a.Retry)))
	}
	if !a.OK && a.Retry > 0 {
		h.Set("Retry-After", seconds(a.Retry))
	}
}

// seconds rounds up: who waits that long has waited long enough.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
