package lang

import (
	"fmt"
	"regexp"
	"strings"
)

// Detail says in a language what is kept in English of a discrepancy: what happened, or why later news settled it. A text that is none
// of these, such as a person's own, is said as it is.
func Detail(t Tag, kept string) string {
	if t == EN {
		return kept
	}
	if word := inTurkish(kept); word != kept {
		return word
	}
	for _, d := range details {
		found := d.en.FindStringSubmatch(kept)
		if found == nil {
			continue
		}
		args := make([]any, len(found)-1)
		for i, arg := range found[1:] {
			args[i] = detailArg(arg)
		}
		return fmt.Sprintf(d.tr, args...)
	}
	return kept
}

// detailArg is what a detail names, in Turkish: an amount, a status, or something that has no other name.
func detailArg(arg string) string {
	if amount.MatchString(arg) {
		return strings.Replace(arg, ".", ",", 1)
	}
	if word := inTurkish(arg); word != arg {
		return "“" + word + "”"
	}
	return arg
}

func inTurkish(word string) string {
	if tr, ok := gatewayWords[word]; ok {
		return tr
	}
	for _, enum := range []string{"TransactionStatus", "DiscrepancyKind"} {
		if label, ok := Label(TR, enum, strings.ToUpper(strings.ReplaceAll(word, "-", "_"))); ok {
			return label
		}
	}
	return word
}

const (
	anAmount = `([0-9.]+(?: [A-Za-z0-9:._-]+(?: \([^()]+\))?)?)` // "7.10 USDT (TRC20)"
	aWord    = `([A-Za-z0-9_-]+)`
)

var amount = regexp.MustCompile("^" + anAmount + "$")

// gatewayWords are states of deposits, payouts, refunds and disputes at gateways, and classes of their errors.
var gatewayWords = map[string]string{
	"waiting": "bekliyor", "authorized": "ön onaylı", "review": "inceleniyor", "paid": "ödendi", "part-paid": "eksik ödendi",
	"over-paid": "fazla ödendi", "refunding": "iade ediliyor", "refunded": "iade edildi", "part-refunded": "kısmen iade edildi",
	"disputed": "itiraz edildi", "unknown": "bilinmiyor", "accepted": "kabul edildi", "done": "tamamlandı", "returned": "geri döndü",
	"queued": "sırada", "needs-approval": "onay bekliyor", "sent": "yolda", "retryable": "geçici hata", "rate-limited": "çok fazla istek",
	"maintenance": "bakımda", "declined": "reddedildi", "no-funds": "bakiye yetersiz", "invalid": "istek geçersiz",
	"misconfigured": "ayarlar yanlış", "unauthenticated": "anahtar kabul edilmedi", "unsupported": "desteklenmiyor",
	"not-found": "bulunamadı", "conflict": "referans kullanılmış",
	"inquiry": "bilgi talebi", "needs_response": "yanıt bekliyor", "under_review": "incelemede", "won": "kazanıldı", "lost": "kaybedildi",
	"closed": "kapatıldı",
}

type detail struct {
	en *regexp.Regexp
	tr string
}

func detailOf(en, tr string) detail {
	en = strings.NewReplacer("%a", anAmount, "%w", aWord, "%t", "(.+)").Replace(regexp.QuoteMeta(en))
	return detail{en: regexp.MustCompile("^" + en + "$"), tr: tr}
}

// details are what core/operation, core/wallet and core/dispute keep.
var details = []detail{
	detailOf("dispute %t: the gateway says %w after %w", "%s itirazı: ağ geçidi önce %[3]s demişti, şimdi %[2]s diyor"),
	detailOf("dispute %t: the gateway has reinstated %a of %a", "%s itirazı: ağ geçidi çektiği %[3]s tutara karşılık %[2]s iade etti"),
	detailOf("dispute %t: %a was withdrawn, which is not the payment's currency", "%s itirazı: işlemin para biriminden farklı olarak %s çekildi"),
	detailOf("dispute %t: reinstated, and the payment was not credited with it again", "%s itirazı: para geri verildi, işleme yeniden yazılmadı"),
	detailOf("dispute %t: more was withdrawn than the payment is still credited with", "%s itirazı: işlemde kalan tutardan fazlası çekildi"),
	detailOf("kept as a dispute", "itiraz olarak izleniyor"),
	detailOf("the gateway now says %w", "ağ geçidi artık %s diyor"),
	detailOf("the gateway says %w, and not how much", "ağ geçidi %s diyor, tutarını bildirmiyor"),
	detailOf("all of it is there, and the gateway says %w", "tutarın tamamı geldi, ağ geçidi %s diyor"),
	detailOf("told after the gateway had said %w", "ağ geçidi önce %s demişti, sonradan bildirildi"),
	detailOf("accepted before the gateway confirmed it; now it says %w", "ağ geçidi doğrulamadan kabul edilmişti; şimdi %s diyor"),
	detailOf("it counted as paid out, and the gateway says %w", "gönderilmiş sayılmıştı, ağ geçidi %s diyor"),
	detailOf("paid out after it counted as %w", "%s sayıldıktan sonra gönderildi"),
	detailOf("under way, and it counted as %w", "%s sayılmıştı, hâlâ yolda"),
	detailOf("the gateway could not be asked: %w", "ağ geçidine sorulamadı: %s"),
	detailOf("the gateway has not answered for a day: %w", "ağ geçidi bir gündür yanıt vermiyor: %s"),
	detailOf("a refund's outcome is not known: %w", "bir iadenin sonucu bilinmiyor: %s"),
	detailOf("the gateway does not know %w", "ağ geçidi bu referansı tanımıyor: %s"),
	detailOf("there was news, and the gateway could not be asked for a day", "bir haber vardı, ağ geçidine bir gündür sorulamıyor"),
	detailOf("it has not left: %t", "henüz gönderilemedi: %s"),
	detailOf("given up after a day: %t", "bir gün sonra vazgeçildi: %s"),
	detailOf("it leaves no more by itself: %t", "artık kendiliğinden gönderilmez: %s"),
	detailOf("the payment is %w", "işlemin durumu %s"),
	detailOf("now %w", "artık %s"),
	detailOf("the gateway says %w", "ağ geçidi %s diyor"),
	detailOf("credited by hand with %a before it came", "para gelmeden elle %s onaylanmıştı"),
	detailOf("the bank took back %a of line %w", "banka, %[2]s satırının %[1]s tutarını geri aldı"),
	detailOf("%a of %a", "%[2]s beklenirken %[1]s geldi"),
	detailOf("%a instead of %a", "%[2]s yerine %[1]s geldi"),
	detailOf("the payment was paid already", "işlem daha önce ödenmişti"),
	detailOf("held by the gateway's fraud check", "ağ geçidinin güvenlik incelemesinde bekletiliyor"),
	detailOf("the payer's bank wants the money back", "ödeyenin bankası parayı geri istiyor"),
	detailOf("given back at the gateway", "ağ geçidinde geri verildi"),
	detailOf("given back after it counted as failed", "başarısız sayıldıktan sonra geri verildi"),
	detailOf("the gateway waits for an approval", "ağ geçidi onay bekliyor"),
	detailOf("the gateway has not finished it for days", "ağ geçidi günlerdir bitirmedi"),
	detailOf("the gateway has it", "ağ geçidine ulaştı"), detailOf("the gateway has answered", "ağ geçidi yanıt verdi"),
	detailOf("the gateway did not take it", "ağ geçidi almadı"), detailOf("the gateway refuses it", "ağ geçidi reddediyor"),
	detailOf("paid in full", "tamamı ödendi"), detailOf("it may leave again", "yeniden gönderilebilir"),
	detailOf("called off", "vazgeçildi"), detailOf("failed after a day", "bir gün sonra başarısız sayıldı"),
}
