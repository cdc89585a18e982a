package nestpay_test

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// bank plays a bank's side of NestPay, as recorded answers show it. It shares no code with the plugin.
type bank struct {
	mu             sync.Mutex
	client         string
	user, password string
	storeKey       string
	now            func() time.Time
	orders         []*order
	writes         int
	serial         int
	isShut         bool
	instead        func(request string) (body string, isThere bool)
	asked          []string // bodies of requests
}

// order is one whose form was posted.
type order struct {
	oid, amount        string
	okURL, callbackURL string
	lang               string
	lines              []*line
	isOpenDay          bool // the bank has not closed its day: no refunds, but voids
	isOld              bool // too old to give back
}

type line struct {
	kind, status, code, id string
	kurus                  int64
}

func newBank(values func(string) string, now func() time.Time) *bank {
	return &bank{
		client: values("client_id"), user: values("api_user"), password: values("api_password"), storeKey: values("store_key"), now: now,
	}
}

// sign hashes the fields: sorted by their names in capitals, escaped, joined with bars, and the key at the end.
func (b *bank) sign(fields map[string]string) string {
	var names []string
	for name := range fields {
		if lower := strings.ToLower(name); lower != "hash" && lower != "encoding" && lower != "nationalidno" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(x, y string) int { return strings.Compare(strings.ToUpper(x), strings.ToUpper(y)) })
	text := ""
	for _, name := range append(names, "") {
		value := b.storeKey
		if name != "" {
			value = fields[name]
		}
		value = strings.ReplaceAll(strings.ReplaceAll(value, `\`, `\\`), "|", `\|`)
		if text != "" || name != names[0] {
			text += "|"
		}
		text += value
	}
	sum := sha512.Sum512([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// ServeHTTP implements http.Handler.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	raw, _ := io.ReadAll(r.Body)
	if strings.HasSuffix(r.URL.Path, "/est3Dgate") {
		if problem := b.post(string(raw)); problem != "" {
			http.Error(w, problem, http.StatusBadRequest)
		}
		return
	}
	b.asked = append(b.asked, string(raw))
	answer := b.answer(raw)
	if b.instead != nil {
		if other, isThere := b.instead(string(raw)); isThere {
			answer = other
		}
	}
	w.Header().Set("Content-Type", "text/xml; charset=ISO-8859-9")
	w.Write(inTurkishCharset(answer))
}

// inTurkishCharset is a text as the bank sends it.
func inTurkishCharset(text string) []byte {
	letters := map[rune]byte{'Ğ': 0xD0, 'İ': 0xDD, 'Ş': 0xDE, 'ğ': 0xF0, 'ı': 0xFD, 'ş': 0xFE}
	var out []byte
	for _, r := range text {
		if c, ok := letters[r]; ok {
			out = append(out, c)
		} else {
			out = append(out, byte(r))
		}
	}
	return out
}

// post takes the customer's form.
func (b *bank) post(body string) (problem string) {
	values, err := url.ParseQuery(body)
	fields := map[string]string{}
	for name := range values {
		fields[name] = values.Get(name)
	}
	switch {
	case err != nil:
		return "the form can't be read"
	case fields["hashAlgorithm"] != "ver3" || fields["hash"] != b.sign(fields):
		return "3D-1004: Guvenlik Uyarisi! Sistem yoneticinize basvurun"
	case fields["clientid"] != b.client || fields["storetype"] != "3d_pay_hosting" || fields["TranType"] != "Auth" || fields["currency"] != "949":
		return "the form is wrong"
	case fields["pan"]+fields["cv2"] != "" || fields["rnd"] == "" || fields["okUrl"] == "" || fields["okUrl"] != fields["failUrl"]:
		return "the form has what it must not, or lacks what it must have"
	}
	o := b.byOID(fields["oid"])
	if o == nil {
		o = &order{oid: fields["oid"]}
		b.orders = append(b.orders, o)
		b.writes++
	}
	o.amount, o.okURL, o.callbackURL, o.lang = fields["amount"], fields["okUrl"], fields["callbackUrl"], fields["lang"]
	return ""
}

func (b *bank) byOID(oid string) *order {
	for _, o := range b.orders {
		if o.oid == oid {
			return o
		}
	}
	return nil
}

// request is what the API takes.
type request struct {
	XMLName  xml.Name `xml:"CC5Request"`
	Name     string   `xml:"Name"`
	Password string   `xml:"Password"`
	ClientID string   `xml:"ClientId"`
	Type     string   `xml:"Type"`
	OrderID  string   `xml:"OrderId"`
	Total    string   `xml:"Total"`
	Currency string   `xml:"Currency"`
	History  string   `xml:"Extra>ORDERHISTORY"`
}

type extras [][2]string

func answerOf(oid, response, code, id, text string, more extras) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"ISO-8859-9\"?>\n<CC5Response>\n")
	write := func(name, value string) {
		b.WriteString("<" + name + ">")
		xml.EscapeText(&b, []byte(value))
		b.WriteString("</" + name + ">\n")
	}
	for _, e := range [][2]string{{"ErrMsg", text}, {"ProcReturnCode", code}, {"Response", response}, {"OrderId", oid}, {"TransId", id}} {
		write(e[0], e[1])
	}
	b.WriteString("<Extra>\n")
	for _, e := range more {
		write(e[0], e[1])
	}
	b.WriteString("</Extra>\n</CC5Response>\n")
	return b.String()
}

func refused(oid, code, text string) string {
	return answerOf(oid, "Error", "99", "", text, extras{{"ERRORCODE", code}, {"NUMCODE", "99"}})
}

func (b *bank) answer(raw []byte) string {
	var r request
	d := xml.NewDecoder(strings.NewReader(string(raw)))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	if d.Decode(&r) != nil {
		return refused("", "CORE-2014", "Invalid query request detected. Please, control the request xml.")
	}
	if b.isShut || r.Name != b.user || r.Password != b.password || r.ClientID != b.client {
		return answerOf("", "Error", "99", "", "Insufficient permissions to perform requested operation.",
			extras{{"HOSTMSG", "Islem yetkisi yok, client id, kullanici adi veya sifre hatali girilmis olabilir."}, {"NUMCODE", "00009900641096"}})
	}
	o := b.byOID(r.OrderID)
	switch {
	case r.History == "QUERY":
		return b.history(r.OrderID, o)
	case o == nil || len(o.lines) == 0:
		return refused("", "CORE-2008", "İptal edilmeye uygun satış işlemi bulunamadı.")
	case r.Type == "Void":
		return b.void(o)
	case r.Type == "Credit" && r.Currency == "949":
		return b.credit(o, r.Total)
	}
	return refused("", "CORE-2001", "This is an invalid transaction type.")
}

func (b *bank) history(oid string, o *order) string {
	if o == nil || len(o.lines) == 0 {
		return answerOf(oid, "Declined", "05", "", "No record found for "+oid, extras{{"NUMCODE", "0"}, {"TRXCOUNT", "0"}})
	}
	more := extras{{"TERMINALID", "00655020"}, {"MERCHANTID", "655000200"}, {"NUMCODE", "0"}}
	for i, l := range slices.Backward(o.lines) { // the newest first
		at := b.now().UTC().Format("2006-01-02 15:04:05.000")
		amount := fmt.Sprint(l.kurus)
		more = append(more, [2]string{
			fmt.Sprintf("TRX%d", len(o.lines)-i),
			strings.Join([]string{l.kind, l.status, amount, amount, at, at, "", "400100743898", "P14578", l.code, l.id}, "\t"),
		})
	}
	return answerOf(oid, "Approved", "00", "", "", append(more, [2]string{"TRXCOUNT", fmt.Sprint(len(o.lines))}))
}

// net is what was paid and not given back.
func (o *order) net() (sum int64) {
	for _, l := range o.lines {
		switch {
		case l.code != "00" || slices.Contains([]string{"V", "D", "ERR", "CNCL", "PN"}, l.status):
		case l.kind == "S":
			sum += l.kurus
		default:
			sum -= l.kurus
		}
	}
	return sum
}

func (b *bank) void(o *order) string {
	for _, l := range o.lines {
		if o.isOpenDay && l.kind == "S" && l.code == "00" && l.status != "V" {
			l.status = "V"
			b.writes++
			return answerOf(o.oid, "Approved", "00", b.id(), "", extras{{"NUMCODE", "00"}})
		}
	}
	return refused(o.oid, "CORE-2008", "İptal edilmeye uygun satış işlemi bulunamadı.")
}

func (b *bank) credit(o *order, total string) string {
	kurus := kurusOf(total)
	switch {
	case o.isOld:
		return refused(o.oid, "CORE-2514", "Cannot refund for old transactions or orders")
	case o.isOpenDay:
		return refused(o.oid, "CORE-2508", "Iade yapilamaz, siparis gunsonuna girmemis.")
	case o.net() == 0:
		return refused(o.oid, "CORE-2504", "Cannot refund on zero net amount.")
	case kurus <= 0 || kurus > o.net():
		return refused(o.oid, "CORE-2503", "Cannot refund more than net amount.")
	}
	l := &line{"C", "C", "00", b.id(), kurus}
	o.lines = append(o.lines, l)
	b.writes++
	return answerOf(o.oid, "Approved", "00", l.id, "", extras{{"NUMCODE", "00"}})
}

func (b *bank) id() string {
	b.serial++
	return fmt.Sprintf("26061Vl7F%05d", b.serial)
}

// kurusOf reads an amount with a dot and two decimals; 0 where it is none.
func kurusOf(text string) int64 {
	var lira, kurus int64
	if n, err := fmt.Sscanf(text, "%d.%02d", &lira, &kurus); err != nil || n != 2 || fmt.Sprintf("%d.%02d", lira, kurus) != text {
		return 0
	}
	return lira*100 + kurus
}

// charge tries a card.
func (b *bank) charge(o *order, status, code string) *line {
	l := &line{"S", status, code, b.id(), kurusOf(o.amount)}
	o.lines = append(o.lines, l)
	return l
}

// result is the form that the bank posts to okUrl, failUrl and callbackUrl.
func (b *bank) result(o *order) map[string]string {
	f := map[string]string{
		"ReturnOid": o.oid, "hashAlgorithm": "ver3", "TranType": "Auth", "lang": o.lang, "merchantID": b.client, "clientid": b.client,
		"maskedCreditCard": "4355 08** **** 4358", "amount": o.amount, "sID": "1", "Ecom_Payment_Card_ExpDate_Year": "28",
		"merchantName": "Deneme | Mağazası \\ A.Ş.", "clientIp": "203.0.113.7", "okUrl": o.okURL, "failUrl": o.okURL, "taksit": "",
		"md": "435508:51104213993AC8DF:3545:##" + b.client, "storetype": "3d_pay_hosting", "currency": "949", "oid": o.oid, "dsId": "1",
		"encoding": "UTF-8", "version": "2.0", "rnd": "J/jGATA5LLVaMfpU+Yyu", "NATIONALIDNO": "", "callbackCall": "true",
		"xid": "N1An1iS5iN4u/1VWS6CgzSGRtN0=", "mdStatus": "0", "mdErrorMsg": "N-status/Challenge authentication",
	}
	if len(o.lines) > 0 {
		l := o.lines[len(o.lines)-1]
		maps.Copy(f, map[string]string{
			"mdStatus": "1", "mdErrorMsg": "Y-status", "ProcReturnCode": l.code, "Response": "Approved", "TransId": l.id, "ErrMsg": "",
			"HostRefNum": "230317184784", "AuthCode": "216981", "EXTRA_TRXDATE": b.now().UTC().Format("20060102 15:04:05"),
		})
		switch {
		case l.status == "PARTLY":
			f["Response"] = "Partly cloudy"
		case l.code != "00" || l.status == "CNCL":
			f["Response"], f["ErrMsg"] = "Declined", "Genel red."
		}
	}
	f["HASH"] = b.sign(f)
	return f
}

func encode(fields map[string]string) []byte {
	values := url.Values{}
	for name, value := range fields {
		values.Set(name, value)
	}
	return []byte(values.Encode())
}

func (b *bank) deposits(ref gateway.Ref) []gateway.Money {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []gateway.Money
	for _, o := range b.orders {
		if o.oid == string(ref) {
			all = append(all, gateway.Money{Amount: money.MustDecimal(o.amount), Asset: gateway.TRY})
		}
	}
	return all
}
