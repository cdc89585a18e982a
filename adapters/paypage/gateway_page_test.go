package paypage_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rsc.io/qr"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestGatewayPhases: every state says what it has to say, in both languages.
func TestGatewayPhases(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	pages := s.atGateways()
	tests := []struct{ name, tr, en string }{
		{"card", "250,00\u00a0₺ ödeyin", "Pay ₺250.00"},
		{"card", "güvenli 3D Secure sayfasında", "secure 3D Secure page"},
		{"card", "Ödeyen Ayşe Yılmaz", "Payer Ayşe Yılmaz"},
		{"card", "Kartla öde", "Pay by card"},
		{"away", "ödeme henüz tamamlanmadı", "the payment is not finished yet"},
		{"back", "Ödemenizin sonucu bekleniyor", "Waiting for the outcome of your payment"},
		{"declined softly", "Son deneme onaylanmadı Kartta veya hesapta yeterli bakiye yok.", "The last try was refused There are not enough funds on the card or account."},
		{"declined softly", "Yeniden dene", "Try again"},
		{"declined", "Ödeme alınamadı Banka ödemeyi onaylamadı.", "The payment failed The bank did not approve the payment."},
		{"failed", "Ödeme iptal edildi", "The payment was canceled"},
		{"failed", "Banka ödemeyi onaylamadı.", "The bank did not approve the payment."},
		{"tried", "Nasıl ödemek istersiniz? Son deneme onaylanmadı Kartın veya hesabın limiti aşıldı.",
			"How would you like to pay? The last try was refused The limit of the card or account was exceeded."},
		{"undone", "Nasıl ödemek istersiniz? Ödeme yapılmadan geri dönüldü.", "How would you like to pay? You came back without paying."},
		{"asking", "Ödemeniz hazırlanıyor", "Your payment is being prepared"},
		{"checking", "Ödemeniz kontrol ediliyor", "We are checking your payment"},
		{"card paid", "Ödemeniz tamamlandı 250,00\u00a0₺", "Your payment is complete ₺250.00"},
		{"canceled", "Ödeme iptal edildi", "The payment was canceled"},
		{"canceled", "Kartınızdan para çekildiyse", "If your card was charged"},
		{"timed out", "Ödeme süresi doldu", "This payment has expired"},
		{"refunded", "Ödemeniz iade edildi 250,00\u00a0₺", "Your payment was refunded ₺250.00"},
		{"pick", "Nasıl ödemek istersiniz?", "How would you like to pay?"},
		{"pick", "Kripto Banka Cüzdan", "Crypto Bank Wallet"},
		{"pick", "Köprü Ödeme Banka, kripto ve cüzdan", "Köprü Ödeme Banka, kripto ve cüzdan"},
		{"coin", "Para birimi ve ağ ₮ Tether · USDT (TRC20) ₿ Bitcoin · BTC (Bitcoin)", "Coin and network ₮ Tether · USDT (TRC20) ₿ Bitcoin · BTC (Bitcoin)"},
		{"other way", "Ödeme bilgilerine dön", "Back to the payment details"},
		{"no way", "Bu ödeme yolu şu anda kullanılamıyor.", "This way to pay is not available right now."},
		{"bank", "250,00\u00a0₺ gönderin", "Send ₺250.00"},
		{"bank", "IBAN TR19 0006 2000 0000 0000 0000 88", "IBAN TR19 0006 2000 0000 0000 0000 88"},
		{"bank", "Açıklama alanına yukarıdaki açıklamayı aynen yazın.", "Enter the description above exactly as it is."},
		{"crypto", "6.230779 USDT gönderin", "Send 6.230779 USDT"},
		{"crypto", "Bu, 250,00\u00a0₺ karşılığıdır.", "This is worth ₺250.00."},
		{"crypto", "Yalnızca Tron (TRC20) ağını kullanın.", "Use the Tron (TRC20) network only."},
		{"crypto", "Tam olarak 6.230779 USDT gönderin", "Send exactly 6.230779 USDT"},
		{"lapsed", "Bu ödeme bilgilerinin süresi doldu", "These payment details have expired"},
		{"seen", "Ödemeniz görüldü", "Your payment was seen"},
		{"late", "Onay biraz uzun sürüyor", "Confirmation is taking a little longer"},
		{"held", "Ödemenize destek ekibinin bakması gerekiyor", "Your payment needs a look by support"},
	}
	for _, tt := range tests {
		for tag, want := range map[string]string{"tr": tt.tr, "en": tt.en} {
			got := s.get(pages[tt.name] + "lang=" + tag)
			if got.status != http.StatusOK || !strings.Contains(got.text(), plain(want)) {
				t.Errorf("%s in %s: status %d, want %q in\n%s", tt.name, tag, got.status, want, got.text())
			}
			for _, secret := range []string{"raw secret", "FRAUD", "fraud"} {
				if strings.Contains(got.body, secret) {
					t.Errorf("%s says %s", tt.name, secret)
				}
			}
		}
	}
}

// TestGatewayState: what the script is told, and that it changes exactly when the page does.
func TestGatewayState(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, page := range s.atGateways() {
		at := strings.Replace(page, "?", "/state?", 1)
		if name == "pick" || name == "coin" || name == "no way" {
			at += "step=pick"
		}
		got := s.get(at)
		var state struct {
			Page        string `json:"page"`
			ExpiresInMS *int64 `json:"expires_in_ms"`
		}
		if err := json.Unmarshal([]byte(got.body), &state); err != nil || got.status != http.StatusOK {
			t.Fatalf("%s: %d %q: %v", name, got.status, got.body, err)
		}
		shown := s.get(page).body
		if !strings.Contains(shown, `data-page="`+state.Page+`"`) {
			t.Errorf("%s: the page and its state disagree on %q", name, state.Page)
		}
		if hasClock := strings.Contains(shown, `class="clock"`); hasClock != (state.ExpiresInMS != nil) {
			t.Errorf("%s: clock %v, expires_in_ms %v", name, hasClock, state.ExpiresInMS)
		}
		if at := regexp.MustCompile(`data-state="([^"]+)"`).FindStringSubmatch(shown); at != nil {
			if again := s.get(html.UnescapeString(at[1])); again.body != got.body {
				t.Errorf("%s asks %s and is told %s, not %s", name, at[1], again.body, got.body)
			}
		}
	}
}

// TestGatewayRefresh: without a script a page that waits reloads itself, and never one with something to fill in.
func TestGatewayRefresh(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	pages := s.atGateways()
	reloads := regexp.MustCompile(`<noscript><meta http-equiv="refresh" content="\d+;url=/pay/[^"]+"></noscript>`)
	for name, want := range map[string]bool{
		"card": false, "pick": false, "coin": false, "other way": false, "away": true, "declined softly": true, "back": true, "asking": true,
		"checking": true, "bank": true, "crypto": true, "lapsed": true, "seen": true, "late": true, "held": true, "card paid": false,
		"declined": false, "canceled": false, "refunded": false, "timed out": false,
	} {
		if got := reloads.MatchString(s.get(pages[name]).body); got != want {
			t.Errorf("%s reloads: %v, want %v", name, got, want)
		}
	}
}

// TestOneWayIsPicked: what there is no choice about is not asked.
func TestOneWayIsPicked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.kinds = []gateway.Kind{gateway.Bank}
	s.turn(&s.OtherGateway, false)
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250)) // of which there is none now
	got := s.get(path(p))
	for _, not := range []string{`class="ways"`, `class="choices"`, `type="radio"`} {
		if strings.Contains(got.body, not) {
			t.Errorf("%s, although there is one way only:\n%s", not, got.body)
		}
	}
	if !strings.Contains(got.body, `name="kind" value="bank"`) || !strings.Contains(got.text(), "Köprü Ödeme") {
		t.Errorf("the one way is not offered:\n%s", got.body)
	}
}

// TestOptionsThatFit: an option whose limits the amount misses is not offered, nor a gateway that has no other.
func TestOptionsThatFit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	small, great := s.StartDeposit(t, payment.CryptoDeposit, lira(50)), s.StartDeposit(t, payment.CryptoDeposit, lira(100_000))
	s.other.options = []gateway.Option{{ID: "mini", Title: "Mini", Asset: apptest.USDT, Max: money.MustDecimal("60")}}
	if got := s.get(path(small)).text(); !strings.Contains(got, "Hızlı Kripto") {
		t.Errorf("no option for the small amount:\n%s", got)
	}
	if got := s.get(path(great)).text(); strings.Contains(got, "Hızlı Kripto") || !strings.Contains(got, "Too big") {
		t.Errorf("not the one option for the great amount:\n%s", got)
	}
}

// TestManyOptions: a long list of coins is a list.
func TestManyOptions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.turn(&s.OtherGateway, false)
	s.booth.options = coins(9)
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250))
	if got := s.get(path(p)); !strings.Contains(got.body, `<option value="8">C8 (Net)</option></select>`) {
		t.Errorf("no list:\n%s", got.body)
	}
	got := s.post(path(p)+"/begin", pick(gateway.Crypto, s.Gateway.ID, ""))
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `<select id="option" name="option" aria-invalid="true"`) {
		t.Errorf("nothing picked: %d\n%s", got.status, got.body)
	}
}

func coins(n int) []gateway.Option {
	var options []gateway.Option
	for i := range n {
		asset := gateway.Asset{Code: fmt.Sprintf("C%d", i), Network: "Net", Decimals: 8}
		options = append(options, gateway.Option{ID: strconv.Itoa(i), Asset: asset})
	}
	return options
}

// TestNoWay: without any gateway the page says so kindly, and goes on by itself when one comes back.
func TestNoWay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, m := range []payment.Method{payment.CreditCard, payment.BankDeposit} {
		s.turn(&s.Gateway, true)
		s.turn(&s.OtherGateway, false)
		p := s.StartDeposit(t, m, lira(250))
		s.turn(&s.Gateway, false)
		got := s.get(path(p) + "?lang=tr")
		if got.status != http.StatusOK || !strings.Contains(got.text(), "Şu anda ödeme alınamıyor") || !strings.Contains(got.body, `http-equiv="refresh"`) {
			t.Fatalf("%s: %d\n%s", m, got.status, got.body)
		}
		state := html.UnescapeString(regexp.MustCompile(`data-state="([^"]+)"`).FindStringSubmatch(got.body)[1])
		before := s.get(state).body
		if key := regexp.MustCompile(`data-page="([^"]+)"`).FindStringSubmatch(got.body)[1]; !strings.Contains(before, `"`+key+`"`) {
			t.Errorf("%s: the page %s is told %s", m, key, before)
		}
		s.turn(&s.Gateway, true)
		if after := s.get(state).body; after == before {
			t.Errorf("%s: nothing changes when a gateway comes back: %s", m, after)
		}
		if got := s.get(path(p)); strings.Contains(got.text(), "not possible right now") {
			t.Errorf("%s: still closed", m)
		}
	}
}

// TestInstructions: whatever a gateway has paid by hand is shown in full, with a button to copy each part.
func TestInstructions(t *testing.T) {
	t.Parallel()
	btc := gateway.Asset{Code: "BTC", Network: "Bitcoin", Decimals: 8}
	tests := map[string]struct {
		kind gateway.Kind
		pay  gateway.Instructions
		want []string
		not  []string
	}{
		"bank": {gateway.Bank, gateway.Instructions{
			IBAN: exampleIBAN, Holder: "Örnek A.Ş.", Bank: "Örnek Bank", Reference: "VZ 42", Exact: money.MustDecimal("250.07"), Asset: gateway.TRY,
			Lines: [][2]string{{"Şube", "0042 & co"}, {"Empty", ""}},
		}, []string{
			"Send ₺250.07", `data-copy="250.07"`, "TR19 0006 2000", `data-copy="` + exampleIBAN + `"`, `data-copy="Örnek A.Ş."`, "Örnek Bank",
			`data-copy="VZ 42"`, "exactly as it is", `data-copy="0042 &amp; co"`, "Şube", "in the name of", "<figure",
		}, []string{"Empty", "worth"}},
		"crypto": {gateway.Crypto, gateway.Instructions{
			Address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", Memo: "77", Exact: money.MustDecimal("0.00012345"), Asset: btc, Confirms: 3,
			QR: "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.00012345", IBAN: exampleIBAN,
		}, []string{
			"Send 0.00012345 BTC", `data-copy="0.00012345"`, `data-copy="bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"`, "Bitcoin network only",
			`data-copy="77"`, "Do not leave out the memo", "This is worth ₺250.00.", "it takes: 3", "with your wallet app",
		}, []string{exampleIBAN, "in the name of"}},
		"whole coins": {gateway.Crypto, gateway.Instructions{
			Address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", Exact: money.MustDecimal("7"), Asset: apptest.USDT,
		}, []string{"Send 7.00 USDT", `data-copy="7.00"`, "<figure"}, nil},
		"wallet": {gateway.Wallet, gateway.Instructions{
			Address: "1234567890", Holder: "Örnek A.Ş.", Reference: "VZ 42",
		}, []string{"Wallet number", `data-copy="1234567890"`, `data-copy="VZ 42"`, "Send ₺250.00", "your wallet app"}, []string{"<figure"}},
		"too long for a code": {gateway.Crypto, gateway.Instructions{
			Address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", QR: strings.Repeat("x", 513), Exact: money.MustDecimal("7.5"), Asset: apptest.USDT,
		}, []string{"Send 7.50 USDT"}, []string{"<figure"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.booth.leads(gateway.NextStep{Pay: &tt.pay})
			p := s.begun(payment.BankDeposit, pick(tt.kind, s.Gateway.ID, "usdt"))
			got := s.get(path(p))
			for _, want := range tt.want {
				if !strings.Contains(got.body, want) {
					t.Errorf("lacks %s:\n%s", want, got.body)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got.body, not) {
					t.Errorf("has %s:\n%s", not, got.body)
				}
			}
		})
	}
}

// TestStepEndsSooner: the clock runs to the end of the details when that comes before the payment's.
func TestStepEndsSooner(t *testing.T) {
	t.Parallel()
	for sooner, want := range map[time.Duration]string{20 * time.Minute: "20:00", 40 * time.Minute: "30:00", 0: "30:00"} {
		s := newStage(t)
		pay := gateway.Instructions{Kind: gateway.Bank, IBAN: exampleIBAN}
		if sooner > 0 {
			pay.ExpiresAt = s.Clock.Now().Add(sooner)
		}
		s.booth.leads(gateway.NextStep{Pay: &pay})
		p := s.begun(payment.BankDeposit, pick(gateway.Bank, s.Gateway.ID, ""))
		if got := s.get(path(p)).text(); !strings.Contains(got, "Time left "+want) {
			t.Errorf("%s: want %s left in\n%s", sooner, want, got)
		}
	}
}

// TestConfirmations are counted as the gateway tells of them, and the page is told to change with each.
func TestConfirmations(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.leads(gateway.NextStep{Pay: &gateway.Instructions{Kind: gateway.Crypto, Address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", Confirms: 3}})
	p := s.begun(payment.CryptoDeposit, pick(gateway.Crypto, s.Gateway.ID, "usdt"))
	seen := map[string]bool{}
	for n, want := range []string{"Confirmations 0 / 3", "Confirmations 1 / 3", "Confirmations 2 / 3"} {
		s.booth.confirms = n
		s.happens(p, is(gateway.Processing))
		if got := s.get(path(p)).text(); !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got)
		}
		seen[s.get(path(p)+"/state").body] = true
	}
	if len(seen) != 3 {
		t.Errorf("states: %v", seen)
	}
}

// TestTimeOverAtGateways: after the end nobody is shown where to pay; who may have paid at the last moment waits.
func TestTimeOverAtGateways(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	byHand, away := s.begun(payment.BankDeposit, pick(gateway.Bank, s.Gateway.ID, "")), s.begun(payment.WalletDeposit, nil)
	card, open := s.card(), s.StartDeposit(t, payment.WalletDeposit, lira(250))
	s.Clock.Set(byHand.ExpiresAt)
	for name, tt := range map[string]struct {
		p    payment.Payment
		want string
	}{
		"by hand": {byHand, "Please do not send money to the account"}, "away": {away, "We are checking your payment"},
		"card": {card, "This payment has expired"}, "open": {open, "This payment has expired"},
	} {
		got := s.get(path(tt.p) + "?step=pick")
		if !strings.Contains(got.text(), tt.want) || strings.Contains(got.body, "/begin") || strings.Contains(got.body, "TR33") {
			t.Errorf("%s: want %s in\n%s", name, tt.want, got.text())
		}
		if !strings.Contains(got.body, "data-state=") {
			t.Errorf("%s does not wait for the end", name)
		}
	}
}

// TestQR: the code is what it says, module by module.
func TestQR(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CryptoDeposit, pick(gateway.Crypto, s.Gateway.ID, "usdt"))
	found := regexp.MustCompile(`viewBox="0 0 (\d+) \d+" role="img".*class="ink" d="([^"]+)"`).FindStringSubmatch(s.get(path(p)).body)
	code := must(qr.Encode("TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", qr.M))(t)
	if found == nil || found[1] != strconv.Itoa(code.Size+8) {
		t.Fatalf("no code of %d modules: %v", code.Size+8, found)
	}
	drawn := drawnBy(t, found[2])
	for y := range code.Size {
		for x := range code.Size {
			if drawn[[2]int{x + 4, y + 4}] != code.Black(x, y) {
				t.Fatalf("module %d, %d is %v", x, y, drawn[[2]int{x + 4, y + 4}])
			}
		}
	}
}

// drawnBy are the modules that a path of horizontal lines covers.
func drawnBy(t *testing.T, path string) map[[2]int]bool {
	t.Helper()
	drawn := map[[2]int]bool{}
	x, y := 0, 0
	for _, move := range regexp.MustCompile(`(?:M(\d+) (\d+)\.5|m(\d+) 0)h(\d+)`).FindAllStringSubmatch(path, -1) {
		number := func(s string) int { n, _ := strconv.Atoi(s); return n }
		if move[1] != "" {
			x, y = number(move[1]), number(move[2])
		}
		x += number(move[3])
		for range number(move[4]) {
			drawn[[2]int{x, y}] = true
			x++
		}
	}
	return drawn
}
