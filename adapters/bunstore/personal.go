package bunstore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"strconv"
	"strings"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// dataKey is a key of AES-256-GCM for the personal data of one customer. The zero key was destroyed.
type dataKey struct {
	id  string
	key [dataKeyBytes]byte
}

const dataKeyBytes = 32

// isDestroyed reports whether what the key has sealed is gone.
func (k dataKey) isDestroyed() bool { return k.key == [dataKeyBytes]byte{} }

func (k dataKey) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// sealPersonal returns the text of a column: JSON, sealed for one column and row. Of a destroyed key it is empty.
func sealPersonal[B any](k dataKey, body B, column string, id core.ID) (string, error) {
	if k.isDestroyed() {
		return "", nil
	}
	text, err := bodyBytes(body)
	if err != nil {
		return "", err
	}
	aead, err := k.aead()
	if err != nil {
		return "", err
	}
	sealed := aead.Seal(nil, nil, text, []byte(column+"/"+string(id))) //nolint:gosec // this AEAD draws its own nonce
	return base64.RawStdEncoding.EncodeToString(sealed), nil
}

// openPersonal opens what sealPersonal has sealed. What was forgotten is the zero body.
func openPersonal[B any](k dataKey, sealed, column string, id core.ID) (body B, err error) {
	if sealed == "" || k.isDestroyed() {
		return body, nil
	}
	raw, err := base64.RawStdEncoding.Strict().DecodeString(sealed)
	if err != nil {
		return body, errors.New("this is no sealed text")
	}
	aead, err := k.aead()
	if err != nil {
		return body, err
	}
	text, err := aead.Open(nil, nil, raw, []byte(column+"/"+string(id)))
	if err != nil {
		return body, errors.New("the sealed text was changed, or sealed for another place")
	}
	err = json.Unmarshal(text, &body)
	return body, err
}

// blinding turns what is searched for into keyed hashes. Its key is drawn once for a database, and sealed in it: a rotated
// master key leaves the hashes as they are.
type blinding struct{ macs *sync.Pool } // of hash.Hash, which have the key

func newBlinding(k dataKey) blinding {
	return blinding{&sync.Pool{New: func() any { return hmac.New(sha256.New, k.key[:]) }}}
}

// termChars are 96 bits in base64. A code tells only the few words apart that a search asks for; it is compared by LIKE, which
// knows no case on SQLite.
const (
	termChars = 16
	codeBytes = 6
)

func (b blinding) sum(kind, text string) []byte {
	mac := b.macs.Get().(hash.Hash)
	defer b.macs.Put(mac)
	mac.Reset()
	buffer := append(make([]byte, 0, max(len(kind)+1+len(text), mac.Size())), kind...)
	buffer = append(append(buffer, 0), text...)
	mac.Write(buffer)
	return mac.Sum(buffer[:0])
}

func (b blinding) hash(kind, text string) string {
	return base64.RawURLEncoding.EncodeToString(b.sum(kind, text))
}

// name is the term of a folded word of a name.
func (b blinding) name(word string) string { return nameTerm + b.hash("name", word)[:termChars] }

// code is what stands for a folded word among the words of a name. It is no part of the term.
func (b blinding) code(word string) string {
	return hex.EncodeToString(b.sum("word", word)[:codeBytes])
}

// iban is the term of an IBAN.
func (b blinding) iban(iban string) string { return ibanTerm + b.hash("iban", iban)[:termChars] }

// reference is the term of a payment's reference, which is its owner's own.
func (b blinding) reference(p payment.Payment) string {
	whose := "provider/" + strconv.FormatInt(p.ProviderID, 10)
	if p.IsDealers() {
		whose = "dealer/" + strconv.FormatInt(p.DealerID, 10)
	}
	return referenceTerm + b.hash("reference", whose+"/"+p.Reference)[:termChars]
}

// party is what senders are compared by: empty for what is no IBAN.
func (b blinding) party(iban string) string {
	if iban = partyIBAN(iban); iban == "" {
		return ""
	}
	return b.iban(iban)
}

// lineTerms are what a bank line is found by, beside the other side's IBAN.
func (b blinding) lineTerms(l wallet.BankLine) []string {
	var terms []string
	for _, word := range l.Words() {
		terms = append(terms, b.lineWord(word))
	}
	if tail := l.Tail(); tail != "" {
		terms = append(terms, b.lineTail(tail))
	}
	return terms
}

// lineWord is the term of a folded word of a bank line; lineTail that of the last digits of the other side's IBAN.
func (b blinding) lineWord(word string) string {
	return wordTerm + b.hash("line word", word)[:termChars]
}
func (b blinding) lineTail(tail string) string {
	return tailTerm + b.hash("line tail", tail)[:termChars]
}

// fingerprint tells whose key it is.
func (b blinding) fingerprint(of string) string { return b.hash("key", of)[:2*termChars] }

// keyOwner says whose key seals a payment: its customer's, within their provider or the dealer whose own it is. A transfer goes
// to somebody else each time, and who has no user id is not known again: theirs is a key of the payment's own.
func keyOwner(p payment.Payment) string {
	switch {
	case p.Customer.UserID == "" || p.Method == payment.EIBANTransfer:
		return ownKey(p.ID)
	case p.IsDealers():
		return "dealer/" + strconv.FormatInt(p.DealerID, 10) + "/" + p.Customer.UserID
	default:
		return "provider/" + strconv.FormatInt(p.ProviderID, 10) + "/" + p.Customer.UserID
	}
}

func ownKey(paymentID core.ID) string { return "payment/" + string(paymentID) }

// termsOf are what a payment is found by.
func (b blinding) termsOf(p payment.Payment) []termRow {
	var rows []termRow
	id, iban, words := p.ID, p.IBAN, report.NameWords(p.Customer.Fullname)
	if p.Reference != "" {
		rows = append(rows, termRow{Term: b.reference(p), ID: id})
	}
	var codes strings.Builder
	for _, w := range words {
		codes.WriteString(" " + b.code(w))
	}
	for _, w := range words {
		rows = append(rows, termRow{Term: b.name(w), ID: id, Words: codes.String()})
	}
	if iban != "" {
		rows = append(rows, termRow{Term: b.iban(iban), ID: id})
	}
	return rows
}

// keyCache has the keys of personal data that were used of late.
type keyCache struct {
	sealer ports.Sealer

	mu        sync.Mutex
	blinding  *blinding                // nil: it was not asked for yet
	byID      recent[string, dataKey]  // keys that are committed
	byPrint   recent[string, dataKey]  // the same by fingerprint, but those that were destroyed
	ofPayment recent[core.ID, string]  // the id of the key that seals a payment
	words     recent[string, struct{}] // of names, that are in the vocabulary
}

// Bounds of what a process remembers: some 30 MB.
const (
	maxRecentKeys     = 50_000
	maxRecentPayments = 50_000
	maxRecentWords    = 50_000
)

func newKeyCache(sealer ports.Sealer) *keyCache {
	return &keyCache{
		sealer: sealer, byID: recent[string, dataKey]{max: maxRecentKeys}, byPrint: recent[string, dataKey]{max: maxRecentKeys},
		ofPayment: recent[core.ID, string]{max: maxRecentPayments}, words: recent[string, struct{}]{max: maxRecentWords},
	}
}

// recent remembers what was used last: at least max/2 of it, at most max.
type recent[K comparable, V any] struct {
	max        int
	young, old map[K]V
}

func (r *recent[K, V]) get(key K) (V, bool) {
	v, ok := r.young[key]
	if ok {
		return v, true
	}
	if v, ok = r.old[key]; ok {
		r.put(key, v)
	}
	return v, ok
}

func (r *recent[K, V]) put(key K, v V) {
	if len(r.young) >= r.max/2 {
		r.old, r.young = r.young, nil
	}
	if r.young == nil {
		r.young = map[K]V{}
	}
	r.young[key] = v
}

func (r *recent[K, V]) drop(key K) {
	delete(r.young, key)
	delete(r.old, key)
}

func newDataKey(id string) dataKey {
	k := dataKey{id: id}
	_, _ = rand.Read(k.key[:]) // never fails
	return k
}

func (v *keyCache) sealKey(k dataKey) (sealedText, error) {
	s := newRowSealer(v.sealer, "personal_keys", k.id)
	sealed := s.sealText(base64.RawStdEncoding.EncodeToString(k.key[:]), "sealed_key")
	return sealed, s.err
}

// openKey opens a key of the database; empty: it was destroyed.
func (v *keyCache) openKey(r personalKeyRow) (dataKey, error) {
	k := dataKey{id: r.ID}
	if r.SealedKey == "" {
		return k, nil
	}
	s := newRowSealer(v.sealer, "personal_keys", r.ID)
	raw, err := base64.RawStdEncoding.Strict().DecodeString(s.openText(r.SealedKey, "sealed_key"))
	if s.err != nil {
		return k, s.err
	}
	if err != nil || len(raw) != len(k.key) {
		return k, errors.New("this is no data key")
	}
	copy(k.key[:], raw)
	return k, nil
}

// personalJSON is what is sealed of a payment.
type personalJSON struct {
	Username string            `json:"username,omitempty"`
	Fullname string            `json:"fullname,omitempty"`
	IBAN     string            `json:"iban,omitempty"`
	Payer    payment.CardPayer `json:"payer,omitzero"`
	Payee    payment.Payee     `json:"payee,omitzero"`

	Reference string `json:"reference,omitempty"`
	ReturnURL string `json:"return_url,omitempty"`
}

func personalOf(p payment.Payment) personalJSON {
	j := personalJSON{
		Username: p.Customer.Username, Fullname: p.Customer.Fullname, IBAN: p.IBAN, Payer: p.Payer, Payee: p.Payee,
		Reference: p.Reference, ReturnURL: p.ReturnURL,
	}
	j.Payer.OrderID, j.Payee.WalletID = "", 0 // ours and the dealer's: see detailsJSON
	return j
}

// take restores to a payment what was sealed of it.
func (j personalJSON) take(p *payment.Payment, userID string) {
	order, walletID := p.Payer.OrderID, p.Payee.WalletID
	p.Customer = owner.Customer{UserID: userID, Username: j.Username, Fullname: j.Fullname}
	p.IBAN, p.Payer, p.Payee, p.Reference, p.ReturnURL = j.IBAN, j.Payer, j.Payee, j.Reference, j.ReturnURL
	p.Payer.OrderID, p.Payee.WalletID = order, walletID
}
