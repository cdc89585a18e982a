package garanti_test

import (
	"crypto/sha1"
	"crypto/sha512"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bank plays Garanti's side, as recorded requests and answers show it. It shares no code with the plugin.
type bank struct {
	mu             sync.Mutex
	setting        func(string) string
	now            func() time.Time
	orders         []*order
	writes, serial int
	isShut         bool
	voidCode       string // how a void is refused, where it is
	voidsAsLine    bool   // a void shows as a line of its own, and not as the sale's date
	mode           string // TEST or PROD
}

// order is one whose form was posted.
type order struct {
	id, amount, back, lang, ip string
	lines                      []*line
	mdstatus                   string // of a try in 3-D Secure
}

// line is one of a history.
type line struct {
	kind, status, code, number, currency, date, void string
	kurus                                            int64
}

func newBank(setting func(string) string, now func() time.Time) *bank {
	return &bank{setting: setting, now: now, mode: "PROD"}
}

func upper512(text string) string {
	return strings.ToUpper(fmt.Sprintf("%x", sha512.Sum512([]byte(text))))
}

// secret is how a user's password goes into hashes. All three users are the bank's own.
func (b *bank) secret(user string) string {
	for _, who := range []string{"provision", "page", "refund"} {
		if user == b.setting(who+"_user") {
			padded := fmt.Sprintf("%09s", b.setting("terminal_id"))
			return strings.ToUpper(fmt.Sprintf("%x", sha1.Sum([]byte(b.setting(who+"_password")+padded))))
		}
	}
	return "nobody"
}

// post takes the customer's form, whose hash covers these fields in this order.
func (b *bank) post(body string) (problem string) {
	f, err := url.ParseQuery(body)
	text := ""
	for _, name := range strings.Fields("terminalid orderid txnamount txncurrencycode successurl errorurl txntype txninstallmentcount") {
		text += f.Get(name)
	}
	kurus, notKurus := strconv.ParseInt(f.Get("txnamount"), 10, 64)
	switch {
	case err != nil || f.Get("apiversion") != "512" || f.Get("secure3dhash") != upper512(text+b.setting("store_key")+b.secret(f.Get("terminalprovuserid"))):
		return "mdstatus 7: Guvenlik Kodu hatali"
	case f.Get("terminalprovuserid") != b.setting("page_user") || f.Get("secure3dsecuritylevel") != "3D_OOS_PAY" || f.Get("mode") != b.mode:
		return "mdstatus 7: Isyeri Kullanim Tipi Desteklenmiyor"
	case f.Get("terminalid") != b.setting("terminal_id") || f.Get("terminalmerchantid") != b.setting("merchant_id") || f.Get("txntype") != "sales":
		return "the form is wrong"
	case f.Get("txncurrencycode") != "949" || notKurus != nil || kurus <= 0 || f.Get("txnamount") != strconv.FormatInt(kurus, 10):
		return "the amount is wrong"
	case f.Has("cardnumber") || f.Has("cardcvv2") || f.Get("successurl") == "" || f.Get("successurl") != f.Get("errorurl") || f.Get("txninstallmentcount") != "1":
		return "the form has what it must not, or lacks what it must have"
	case f.Get("customeripaddress") == "" || f.Get("companyname") == "" || f.Get("lang") != "tr" && f.Get("lang") != "en":
		return "a field is missing"
	}
	o := b.byID(f.Get("orderid"))
	if o == nil {
		o = &order{id: f.Get("orderid")}
		b.orders = append(b.orders, o)
		b.writes++
	}
	o.amount, o.back, o.lang, o.ip = f.Get("txnamount"), f.Get("successurl"), f.Get("lang"), f.Get("customeripaddress")
	return ""
}

func (b *bank) byID(id string) *order {
	for _, o := range b.orders {
		if o.id == id {
			return o
		}
	}
	return nil
}

// call is what the API takes.
type call struct {
	XMLName  xml.Name `xml:"GVPSRequest"`
	Mode     string   `xml:"Mode"`
	Version  string   `xml:"Version"`
	User     string   `xml:"Terminal>ProvUserID"`
	Hash     string   `xml:"Terminal>HashData"`
	Terminal string   `xml:"Terminal>ID"`
	Merchant string   `xml:"Terminal>MerchantID"`
	IP       string   `xml:"Customer>IPAddress"`
	OrderID  string   `xml:"Order>OrderID"`
	Type     string   `xml:"Transaction>Type"`
	Amount   string   `xml:"Transaction>Amount"`
	Currency string   `xml:"Transaction>CurrencyCode"`
	Original string   `xml:"Transaction>OriginalRetrefNum"`
}

// ServeHTTP implements http.Handler.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	raw, _ := io.ReadAll(r.Body)
	if strings.HasSuffix(r.URL.Path, "/gt3dengine") {
		if problem := b.post(string(raw)); problem != "" {
			http.Error(w, problem, http.StatusBadRequest)
		}
		return
	}
	var c call
	if r.Method != "POST" || r.URL.Path != "/VPServlet" || xml.Unmarshal(raw, &c) != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/xml; charset=UTF-8")
	io.WriteString(w, b.answer(c))
}

func (b *bank) answer(c call) string {
	o := b.byID(c.OrderID)
	isAsked := c.Type == "orderhistoryinq"
	isBack := c.Type == "void" || c.Type == "refund"
	switch {
	case b.isShut || c.Hash != upper512(c.OrderID+c.Terminal+c.Amount+c.Currency+b.secret(c.User)) || c.Version != "512":
		return b.refused(c, "0651", "Kullanıcı şifresi hatalı")
	case c.Terminal != b.setting("terminal_id") || c.Merchant != b.setting("merchant_id") || c.Mode != b.mode:
		return b.refused(c, "0752", "Terminal kaydı yok")
	case c.IP == "" || c.Amount == "0" || c.Amount == "" || c.Currency != "949":
		return b.refused(c, "0002", "Giriş yaptığınız işlem tipi için zorunlu alanları kontrol ediniz")
	case isBack != (c.User == b.setting("refund_user")):
		return b.refused(c, "0652", "Üzgünüz, bu işlemi yapmaya yetkiniz yok")
	case isAsked && (o == nil || len(o.lines) == 0):
		return b.reply(c, "GVPS", "92", "0108", "Gönderilen sipariş numarasına ait kayıt bulunmamaktadır", "", "<OrderHistInqResult><OrderTxnList/></OrderHistInqResult>")
	case isAsked:
		return b.reply(c, "GVPS", "00", "", "", "", o.history())
	case isBack && (o == nil || o.sale() == nil || o.sale().number != c.Original || o.sale().void != ""):
		return b.refused(c, map[string]string{"void": "0210", "refund": "0208"}[c.Type], "İade etmek istediğiniz işlem geçerli değil")
	case c.Type == "void":
		return b.void(c, o)
	case c.Type == "refund":
		return b.refund(c, o)
	}
	return b.refused(c, "0002", "İşlem tipi")
}

func (b *bank) refused(c call, reason, text string) string {
	return b.reply(c, "GVPS", "92", reason, text, "", "")
}

// reply writes an answer. It is signed with the password of the user who asked.
func (b *bank) reply(c call, source, code, reason, text, number, inOrder string) string {
	return b.signed(c.User, c.Terminal, c.Merchant, c.OrderID, source, code, reason, text, number, inOrder)
}

func (b *bank) signed(user, terminal, merchant, id, source, code, reason, text, number, inOrder string) string {
	at, auth := b.now().UTC().Add(3*time.Hour).Format("20060102 15:04:05"), ""
	if number != "" {
		auth = "304919"
	}
	message := map[bool]string{true: "Approved", false: "Declined"}[code == "00"]
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><GVPSResponse><Mode></Mode><Terminal><ProvUserID>%s</ProvUserID><UserID>%s</UserID>`+
		`<ID>%s</ID><MerchantID>%s</MerchantID></Terminal><Customer><IPAddress>172.26.0.1</IPAddress><EmailAddress></EmailAddress></Customer>`+
		`<Order><OrderID>%s</OrderID><GroupID></GroupID>%s</Order><Transaction><Response><Source>%s</Source><Code>%s</Code><ReasonCode>%s</ReasonCode>`+
		`<Message>%s</Message><ErrorMsg>%s</ErrorMsg><SysErrMsg></SysErrMsg></Response><RetrefNum>%s</RetrefNum><AuthCode>%s</AuthCode>`+
		`<BatchNum></BatchNum><SequenceNum></SequenceNum><ProvDate>%s</ProvDate><CardNumberMasked></CardNumberMasked><CardHolderName></CardHolderName>`+
		`<CardType></CardType><HashData>%s</HashData><HostMsgList></HostMsgList><RewardInqResult><RewardList></RewardList><ChequeList></ChequeList>`+
		`</RewardInqResult></Transaction></GVPSResponse>`, user, user, terminal, merchant, id, inOrder, source, code, reason, message, text, number, auth,
		at, upper512(code+number+auth+at+id+b.secret(user)))
}

func (o *order) history() string {
	var all strings.Builder
	for _, l := range o.lines {
		fmt.Fprintf(&all, `<OrderTxn><Type>%s</Type><Status>%s</Status><PreAuthAmount>0</PreAuthAmount><AuthAmount>%d</AuthAmount><PreAuthDate></PreAuthDate>`+
			`<AuthDate>%s</AuthDate><VoidDate>%s</VoidDate><RetrefNum>%s</RetrefNum><AuthCode>304919</AuthCode><ReturnCode>%s</ReturnCode>`+
			`<BatchNum>4951</BatchNum><RemainingBNSAmount>0</RemainingBNSAmount><UsedFBBAmount>0</UsedFBBAmount><UsedChequeType></UsedChequeType>`+
			`<UsedChequeCount>0</UsedChequeCount><UsedChequeAmount>0</UsedChequeAmount><InstallmentCnt>0</InstallmentCnt><CurrencyCode>%s</CurrencyCode>`+
			`<Settlement>N</Settlement></OrderTxn>`, l.kind, l.status, l.kurus, l.date, l.void, l.number, l.code, l.currency)
	}
	return "<OrderHistInqResult><OrderTxnList>" + all.String() + "</OrderTxnList></OrderHistInqResult>"
}

// sale is the one that took money.
func (o *order) sale() *line {
	for _, l := range o.lines {
		if l.kind == "sales" && l.status == "00" {
			return l
		}
	}
	return nil
}

// net is what was paid and not given back.
func (o *order) net() (sum int64) {
	for _, l := range o.lines {
		switch {
		case l.status != "00" || l.void != "":
		case l.kind == "sales":
			sum += l.kurus
		default:
			sum -= l.kurus
		}
	}
	return sum
}

func (b *bank) today() string { return b.now().UTC().Add(3 * time.Hour).Format("20060102") }

func (b *bank) void(c call, o *order) string {
	switch s := o.sale(); {
	case b.voidCode != "":
		return b.refused(c, b.voidCode, "İptal etmek istediğiniz işlem geçerli değil")
	case s.date != b.today() || c.Amount != strconv.FormatInt(s.kurus, 10) || o.net() != s.kurus:
		return b.refused(c, "0210", "İptal etmek istediğiniz işlem geçerli değil")
	case b.voidsAsLine:
		o.lines = append(o.lines, b.line("void", "00", s.kurus))
	default:
		s.void = b.today()
	}
	b.writes++
	return b.reply(c, "HOST", "00", "00", "", b.number(), "")
}

func (b *bank) refund(c call, o *order) string {
	kurus, err := strconv.ParseInt(c.Amount, 10, 64)
	if err != nil || kurus > o.net() {
		return b.refused(c, "0214", "İade tutarı, satış tutarından büyük olamaz")
	}
	l := b.line("refund", "00", kurus)
	o.lines = append(o.lines, l)
	b.writes++
	return b.reply(c, "HOST", "00", "00", "", l.number, "")
}

func (b *bank) number() string {
	b.serial++
	return fmt.Sprintf("2305%08d", b.serial)
}

func (b *bank) line(kind, status string, kurus int64) *line {
	l := &line{kind: kind, status: status, code: "00", number: b.number(), currency: "949", date: b.today(), kurus: kurus}
	if status != "00" {
		l.code, l.currency, l.date = "51", "0", ""
	}
	return l
}

// charge tries a card.
func (b *bank) charge(o *order, status string) *line {
	kurus, _ := strconv.ParseInt(o.amount, 10, 64)
	l := b.line("sales", status, kurus)
	o.lines = append(o.lines, l)
	return l
}
