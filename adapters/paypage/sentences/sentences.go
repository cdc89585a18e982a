// Package sentences has everything that the payment page says, in Turkish and English.
package sentences

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/vezne/vezne/core/lang"
)

// Say returns a sentence in a language. A key without one panics, which fails the template that asks for it.
func Say(t lang.Tag, key string, args ...any) string {
	s, ok := sentences[key]
	if !ok {
		panic("paypage: no sentence for " + key)
	}
	text := s.tr
	if t == lang.EN {
		text = s.en
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, isolated(args)...)
}

// isolated are arguments of which those that are read from right to left turn nothing of the sentence around them (UAX 9, 2.4).
func isolated(args []any) []any {
	apart := slices.Clone(args)
	for i, arg := range args {
		if text, ok := arg.(string); ok && strings.IndexFunc(text, isRightToLeft) >= 0 {
			apart[i] = "\u2068" + text + "\u2069"
		}
	}
	return apart
}

func isRightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// Has reports whether there is a sentence of a key.
func Has(key string) bool { _, ok := sentences[key]; return ok }

// All returns each key with its Turkish and its English.
func All() map[string][2]string {
	all := make(map[string][2]string, len(sentences))
	for key, s := range sentences {
		all[key] = [2]string{s.tr, s.en}
	}
	return all
}

// sentences is everything that the page says, by key. They are for people in a hurry: short, polite (siz), no jargon,
// and never a promise that Vezne cannot keep.
var sentences = map[string]struct{ tr, en string }{
	"language.switch": {"English", "Türkçe"}, // each in the language that it leads to
	"language.label":  {"Dil", "Language"},
	"page.by":         {"Ödeme sayfası: Vezne", "Payment page by Vezne"},
	"help":            {"%s desteği:", "%s support:"},
	"help.page":       {"Destek sayfası", "Support page"},
	"terms":           {"Kullanım koşulları", "Terms of use"},
	"privacy":         {"Gizlilik", "Privacy"},
	"code.label":      {"Takip kodu", "Tracking code"},
	"copy":            {"Kopyala", "Copy"},
	"copy.done":       {"Kopyalandı", "Copied"},
	"copy.failed":     {"Kopyalanamadı. Metni seçip elle kopyalayın.", "Copying failed. Please select the text and copy it by hand."},
	"offline":         {"Bağlantı kurulamıyor, yeniden deneniyor…", "No connection. Trying again…"},
	"steps.label":     {"Ödeme adımları", "Payment steps"},
	"steps.amount":    {"Tutar", "Amount"},
	"steps.pay":       {"Transfer", "Transfer"},
	"steps.checking":  {"Onay", "Confirmation"},
	"steps.card":      {"Özet", "Summary"},
	"steps.secure":    {"Güvenli sayfa", "Secure page"},
	"steps.result":    {"Sonuç", "Result"},
	"steps.way":       {"Ödeme yolu", "Way to pay"},
	"steps.payment":   {"Ödeme", "Payment"},
	"clock.until":     {"Bitiş: %s", "Until %s"},
	"clock.left":      {"Kalan süre", "Time left"},

	"amount.title":        {"Tutarı onaylayın", "Confirm the amount"},
	"amount.title.change": {"Tutarı değiştirin", "Change the amount"},
	"amount.lead":         {"%s hesabınıza yatırmak istediğiniz tutarı kontrol edin. Dilerseniz değiştirebilirsiniz.", "Check the amount that you want to deposit to your %s account. You can change it."},
	"amount.label":        {"Tutar", "Amount"},
	"amount.currency":     {"Türk lirası", "Turkish lira"},
	"amount.hint":         {"En az %s, en çok %s.", "From %s to %s."},
	"amount.continue":     {"Devam et", "Continue"},
	"amount.back":         {"Değiştirmeden geri dön", "Go back without changing"},
	"amount.closed":       {"Şu anda para yatırma işlemi için uygun bir hesap yok. Birkaç dakika sonra yeniden deneyin ya da %s ile iletişime geçin.", "No account is available for deposits right now. Please try again in a few minutes, or contact %s."},
	"problem.title":       {"Tutarı kontrol edin", "Please check the amount"},
	"problem.page":        {"Hata: %s", "Error: %s"},
	"problem.empty":       {"Yatırmak istediğiniz tutarı yazın.", "Enter the amount that you want to deposit."},
	"problem.format":      {"Bu tutarı anlayamadık. Yalnızca rakamla yazın; örneğin 250 ya da 250,50.", "We could not read this amount. Use digits only, such as 250 or 250.50."},
	"problem.ambiguous":   {"“%s” iki farklı tutar olarak okunabilir. Binlik ayırıcı kullanmadan yazın; örneğin 1250 ya da 1,25.", "“%s” could mean two different amounts. Enter it without a thousands separator, such as 1250 or 1.25."},
	"problem.decimals":    {"Kuruş için en çok iki basamak yazın; örneğin 250,50.", "Use at most two decimals, such as 250.50."},
	"problem.large":       {"Bu tutar çok yüksek. Daha düşük bir tutar yazın.", "This amount is too high. Enter a lower one."},
	"problem.small":       {"Bu tutar çok düşük. %s ile %s arasında bir tutar yazın.", "This amount is too low. Enter an amount from %s to %s."},
	"problem.no_account":  {"Şu anda bu tutar için uygun bir hesap yok. %s ile %s arasında başka bir tutar deneyin.", "No account is available for this amount right now. Try another amount from %s to %s."},
	"problem.closed":      {"Şu anda bu tutar için uygun bir hesap yok. Ödemeniz duruyor; birkaç dakika sonra yeniden deneyin.", "No account is available for this amount right now. Your payment is kept; please try again in a few minutes."},

	"pay.title":      {"%s gönderin", "Send %s"},
	"pay.lead":       {"Banka uygulamanızdan bu hesaba gönderin, sonra buraya dönüp “Ödemeyi yaptım”a basın.", "Use your banking app, then come back here and press “I have paid”."},
	"pay.account":    {"Hesap bilgileri", "Account details"},
	"pay.amount":     {"Tutar", "Amount"},
	"pay.iban":       {"IBAN", "IBAN"},
	"pay.holder":     {"Alıcı adı", "Account holder"},
	"pay.bank":       {"Banka", "Bank"},
	"pay.hints":      {"Gönderirken", "When you send"},
	"pay.hint.exact": {"Tutarı kuruşu kuruşuna aynı gönderin.", "Send exactly this amount."},
	"pay.hint.own":   {"Gönderen hesabın sahibi:", "Send from an account in the name of"},
	"pay.hint.code":  {"Açıklama alanına yalnızca yukarıdaki kodu yazın; ödemeniz onunla bulunur.", "Put the code above, and nothing else, in the description; your payment is found by it."},
	"pay.hint.note":  {"Açıklama alanını boş bırakın.", "Leave the description empty."},
	"pay.paid":       {"Ödemeyi yaptım", "I have paid"},
	"pay.change":     {"Tutarı değiştir", "Change amount"},
	"pay.qr":         {"IBAN’ın karekodu", "QR code of the IBAN"},
	"pay.qr.hint":    {"Başka bir cihazdan mı ödüyorsunuz? IBAN’ı bu karekodla aktarın.", "Paying from another device? Scan this code to get the IBAN."},

	"cancel.open":    {"Ödemeyi iptal et", "Cancel the payment"},
	"cancel.unpaid":  {"Ödeme iptal edilsin mi? Sonra aynı ödemeye devam edemezsiniz.", "Cancel this payment? You cannot go on with it afterwards."},
	"cancel.ask":     {"Ödeme iptal edilsin mi? Parayı gönderdiyseniz iptal etmeyin, “Ödemeyi yaptım” düğmesine basın.", "Cancel this payment? If you have sent the money, do not cancel; press “I have paid” instead."},
	"cancel.late":    {"Parayı göndermediniz mi?", "Haven’t sent the money?"},
	"cancel.confess": {"Parayı göndermediyseniz ödemeyi iptal edebilirsiniz. Gönderdiyseniz iptal etmeyin; gelen para bu ödemeyle eşleştirilemez.", "If you have not sent the money, you can cancel the payment. If you have, do not cancel: the money could not be matched with this payment."},
	"cancel.gate":    {"Ödeme iptal edilsin mi? Parayı gönderdiyseniz iptal etmeyin; ulaştığında bu sayfada görürsünüz.", "Cancel this payment? If you have sent the money, do not cancel; you will see it here when it arrives."},
	"cancel.yes":     {"Evet, iptal et", "Yes, cancel"},

	"card.title":      {"%s ödeyin", "Pay %s"},
	"card.lead":       {"Ödemeyi güvenli 3D Secure sayfasında yapar, sonra buraya dönersiniz. Kart bilgileriniz bu sayfada istenmez.", "You pay on a secure 3D Secure page and then come back here. This page never asks for your card details."},
	"card.lead.away":  {"Güvenli ödeme sayfası açıldı, ödeme henüz tamamlanmadı. Kaldığınız yerden devam edebilirsiniz.", "The secure payment page was opened, and the payment is not finished yet. You can go on where you left off."},
	"card.lead.again": {"Yeniden deneyebilir ya da başka bir kart kullanabilirsiniz.", "You can try again or use another card."},
	"card.refused":    {"Son deneme onaylanmadı", "The last try was refused"},
	"card.payer":      {"Ödeyen", "Payer"},
	"card.go":         {"Kartla öde", "Pay by card"},
	"card.continue":   {"Güvenli sayfaya git", "Go to the secure page"},
	"card.again":      {"Yeniden dene", "Try again"},
	"leave.title":     {"Güvenli ödeme sayfasına gidiyorsunuz", "Taking you to the secure payment page"},
	"leave.lead":      {"Sayfa kendiliğinden açılmazsa düğmeye basın. Ödeme bitince buraya dönersiniz.", "If the page does not open by itself, press the button. You come back here after paying."},
	"leave.back":      {"Ödemeye dön", "Back to the payment"},

	"pick.title":          {"Nasıl ödemek istersiniz?", "How would you like to pay?"},
	"pick.lead":           {"%s tutarındaki ödemenizi %s hesabınıza nasıl yapacağınızı seçin.", "Choose how to pay %s to your %s account."},
	"pick.lead.one":       {"%s hesabınıza ödeme yapıyorsunuz.", "You are paying to your %s account."},
	"card.marks":          {"Kabul edilen kartlar ve güvenlik", "Cards that are taken, and security"},
	"wait.short":          {"%s ulaştı. Ödemenin tamamlanması için aynı adrese %s daha gönderin; %s ağını kullanın.", "%s has arrived. To complete the payment, send another %s to the same address, over %s."},
	"checking.usual":      {"Kontrol genellikle %s içinde biter.", "Checking is usually done within %s."},
	"checking.longer":     {"Bu kez her zamankinden uzun sürüyor; kontrol devam ediyor.", "It is taking longer than usual; checking goes on."},
	"pick.undone":         {"Ödeme yapılmadan geri dönüldü. Yeniden deneyebilir ya da başka bir yol seçebilirsiniz.", "You came back without paying. You can try again or choose another way."},
	"pick.ways":           {"Ödeme yolları", "Ways to pay"},
	"pick.gateways":       {"Ödeme kuruluşları", "Payment services"},
	"pick.gateways.other": {"Başka bir kuruluş seç", "Choose another service"},
	"pick.option":         {"Para birimi ve ağ", "Coin and network"},
	"pick.choose":         {"Seçin", "Choose"},
	"pick.optional":       {"isteğe bağlı", "optional"},
	"pick.problem":        {"Bilgileri kontrol edin", "Please check the details"},
	"pick.other":          {"Başka bir yol seç", "Choose another way"},
	"pick.back":           {"Ödeme bilgilerine dön", "Back to the payment details"},
	"way.bank":            {"Banka", "Bank"},
	"way.crypto":          {"Kripto", "Crypto"},
	"way.wallet":          {"Cüzdan", "Wallet"},
	"none.title":          {"Şu anda ödeme alınamıyor", "Payments are not possible right now"},
	"none.lead":           {"Bu ödeme için şu anda açık bir ödeme yolu yok. Sayfayı açık bırakırsanız yol açıldığında kendiliğinden devam eder; dilerseniz %s ile iletişime geçin.", "No way to pay is open for this payment right now. Leave this page open and it goes on by itself when there is one, or contact %s."},

	"need.iban":           {"IBAN’ınız", "Your IBAN"},
	"need.account_holder": {"Hesap sahibinin adı soyadı", "Name of the account holder"},
	"need.wallet_number":  {"Cüzdan numaranız", "Your wallet number"},
	"need.wallet_address": {"Cüzdan adresiniz", "Your wallet address"},
	"need.memo":           {"Memo (etiket)", "Memo (tag)"},
	"need.national_id":    {"T.C. kimlik numaranız", "Your Turkish identity number"},
	"need.phone":          {"Telefon numaranız", "Your phone number"},
	"need.email":          {"E-posta adresiniz", "Your email address"},
	"need.bank_code":      {"Bankanız", "Your bank"},
	"wrong.option":        {"Bir seçenek işaretleyin.", "Choose one of them."},
	"wrong.required":      {"Bu alanı doldurun.", "Fill this in."},
	"wrong.iban":          {"IBAN’ı kontrol edin; TR ile başlar ve 26 karakterdir.", "Check the IBAN. It starts with TR and has 26 characters."},
	"wrong.tckn":          {"11 haneli T.C. kimlik numaranızı yazın.", "Enter your Turkish identity number of 11 digits."},
	"wrong.wallet":        {"5 ile 20 haneli cüzdan numaranızı yazın.", "Enter your wallet number of 5 to 20 digits."},
	"wrong.phone":         {"Telefon numarasını kontrol edin; örneğin 0555 111 22 33.", "Check the phone number, such as +90 555 111 22 33."},
	"wrong.email":         {"E-posta adresini kontrol edin; örneğin ad@ornek.com.", "Check the email address, such as name@example.com."},
	"wrong.address":       {"Bu adres seçilen ağa uymuyor.", "This address does not fit the chosen network."},
	"wrong.choice":        {"Listeden birini seçin.", "Choose one from the list."},
	"wrong.max":           {"Daha kısa yazın.", "Enter something shorter."},
	"wrong.text":          {"Burada kullanılamayan bir karakter var.", "It has a character that cannot be used here."},
	"wrong.other":         {"Bu alanı kontrol edin.", "Check this."},

	"details.worth":          {"Bu, %s karşılığıdır.", "This is worth %s."},
	"details.lead.bank":      {"Banka uygulamanızdan bu hesaba gönderin.", "Send it to this account from your banking app."},
	"details.lead.crypto":    {"Cüzdanınızdan bu adrese gönderin.", "Send it to this address from your wallet."},
	"details.lead.wallet":    {"Cüzdan uygulamanızdan gönderin.", "Send it from your wallet app."},
	"details.live":           {"Para görüldüğünde bu sayfa kendiliğinden devam eder.", "This page goes on by itself when the money is seen."},
	"details.account":        {"Ödeme bilgileri", "Payment details"},
	"details.address":        {"Adres", "Address"},
	"details.network":        {"Ağ", "Network"},
	"details.memo":           {"Memo (etiket)", "Memo (tag)"},
	"details.wallet":         {"Cüzdan numarası", "Wallet number"},
	"details.reference":      {"Açıklama", "Description"},
	"details.hint.exact":     {"Tam olarak %s gönderin; işlem ücretini ayrıca karşılayın.", "Send exactly %s; any fee comes on top."},
	"details.hint.network":   {"Yalnızca %s ağını kullanın. Başka ağdan gönderilen para kaybolabilir.", "Use the %s network only. What is sent over another one may be lost."},
	"details.hint.reference": {"Açıklama alanına yukarıdaki açıklamayı aynen yazın.", "Enter the description above exactly as it is."},
	"details.hint.memo":      {"Memo (etiket) alanını mutlaka doldurun.", "Do not leave out the memo (tag)."},
	"details.hint.confirms":  {"Tamamlanması için gereken ağ onayı: %s.", "Confirmations of the network that it takes: %s."},
	"details.qr":             {"Ödeme bilgilerinin karekodu", "QR code of the payment details"},
	"details.qr.crypto":      {"Bu karekodu cüzdan uygulamanızla okutun.", "Scan this code with your wallet app."},
	"details.qr.other":       {"Başka bir cihazdan mı ödüyorsunuz? Bu karekodu okutun.", "Paying from another device? Scan this code."},
	"lapsed.title":           {"Bu ödeme bilgilerinin süresi doldu", "These payment details have expired"},
	"lapsed.lead":            {"Size gösterilen hesaba ya da adrese artık para göndermeyin.", "Please do not send money to the account or address that you were shown any more."},

	"wait.checking.title": {"Ödemeniz kontrol ediliyor", "We are checking your payment"},
	"wait.checking.lead":  {"Sonucu bu sayfada göreceksiniz. Sayfayı kapatsanız da kontrol sürer.", "You will see the outcome here. Checking goes on even if you close this page."},
	"wait.back.title":     {"Ödemenizin sonucu bekleniyor", "Waiting for the outcome of your payment"},
	"wait.back.lead":      {"Sonucu ödeme kuruluşundan soruyoruz. Ödemeyi tamamladıysanız yeniden ödemeyin.", "We are asking the payment service. If you have finished paying, do not pay again."},
	"wait.asking.title":   {"Ödemeniz hazırlanıyor", "Your payment is being prepared"},
	"wait.asking.lead":    {"Ödeme kuruluşunun yanıtı bekleniyor. Yanıt gelince bu sayfa kendiliğinden devam eder.", "We are waiting for the payment service. This page goes on by itself when it answers."},
	"wait.seen.title":     {"Ödemeniz görüldü", "Your payment was seen"},
	"wait.seen.lead":      {"Onaylanması bekleniyor. Yapmanız gereken bir şey yok; sayfayı kapatsanız da kontrol sürer.", "It is waiting to be confirmed. There is nothing for you to do; checking goes on even if you close this page."},
	"wait.late.title":     {"Onay biraz uzun sürüyor", "Confirmation is taking a little longer"},
	"wait.late.lead":      {"Ödemeniz görüldü; yeniden ödeme yapmanıza gerek yok. Acele ediyorsanız takip kodunuzla %s desteğine yazabilirsiniz.", "Your payment was seen; there is no need to pay again. If it is urgent, contact %s with your tracking code."},
	"wait.held.title":     {"Ödemenize destek ekibinin bakması gerekiyor", "Your payment needs a look by support"},
	"wait.held.lead":      {"Paranız kayıtlı; yeniden ödeme yapmayın. Sorularınız için takip kodunuzla %s desteğine yazabilirsiniz.", "Your money is on record; please do not pay again. If you have questions, contact %s with your tracking code."},
	"wait.confirms":       {"Ağ onayı", "Confirmations"},
	"wait.undone":         {"Ödemeyi tamamlamadınız mı?", "Did not finish paying?"},
	"wait.undone.text":    {"Ödemeyi tamamlamadıysanız buradan devam edebilir ya da iptal edebilirsiniz. Tamamladıysanız sonucu bekleyin.", "If you did not finish, you can go on or cancel here. If you did, please wait for the outcome."},

	"checking.title": {"Ödemeniz kontrol ediliyor", "We are checking your payment"},
	"checking.lead":  {"Paranız hesaba ulaştığında bu sayfada göreceksiniz. Sayfayı kapatsanız da kontrol sürer.", "You will see it here when your money has arrived. Checking goes on even if you close this page."},
	"late.title":     {"Kontrol biraz uzun sürüyor", "Checking is taking a little longer"},
	"late.lead":      {"Ödemeniz sırada; yeniden ödeme yapmanıza gerek yok. Acele ediyorsanız takip kodunuzla %s desteğine yazabilirsiniz.", "You are in the queue; there is no need to pay again. If it is urgent, contact %s with your tracking code."},
	"sum.amount":     {"Tutar", "Amount"},
	"sum.site":       {"Site", "Site"},
	"sum.bank":       {"Banka", "Bank"},
	"sum.time":       {"Zaman", "Time"},

	"completed.title":   {"Ödemeniz tamamlandı", "Your payment is complete"},
	"completed.lead":    {"Ödemeniz alındı. Bu sayfayı kapatıp %s sitesine dönebilirsiniz.", "Your money has arrived. You can close this page and go back to %s."},
	"completed.differs": {"Bu tutar, başta istenen %s tutarından farklı; onaylanan tutar geçerlidir.", "This differs from the %s asked for at first; the amount received counts."},
	"canceled.title":    {"Ödeme iptal edildi", "The payment was canceled"},
	"canceled.lead":     {"Yeni bir ödeme için %s sitesine dönebilirsiniz.", "To make a new payment, go back to %s."},
	"failed.title":      {"Ödeme alınamadı", "The payment failed"},
	"refunded.title":    {"Ödemeniz iade edildi", "Your payment was refunded"},
	"refunded.lead":     {"Tutar kartınıza iade edildi. Hesabınıza yansıması birkaç gün sürebilir.", "The amount was returned to your card. It may take a few days to show."},
	"expired.title":     {"Ödeme süresi doldu", "This payment has expired"},
	"expired.stop":      {"Size gösterilen hesaba artık para göndermeyin.", "Please do not send money to the account that you were shown any more."},
	"expired.lead":      {"Yeni bir ödeme için %s sitesine dönün.", "To make a new payment, go back to %s."},
	"sent.title":        {"Parayı gönderdiyseniz", "If you have sent the money"},
	"sent.card":         {"Kartınızdan para çekildiyse", "If your card was charged"},
	"sent.charged":      {"%s desteğine bu takip kodunu iletin. Ödemeniz bu kodla bulunur.", "Give %s support this tracking code. They can find your payment with it."},
	"sent.text":         {"%s desteğine bu takip kodunu ve dekontu iletin. Ödemeniz bu kodla bulunur.", "Give %s support this tracking code and your receipt. They can find your payment with it."},

	"notice.stale":   {"Siz düğmeye basmadan önce ödemenin durumu değişmişti, bu yüzden bir şey yapılmadı. Güncel durum aşağıda.", "Your payment had moved on before you pressed the button, so nothing was changed. This is where it stands now."},
	"notice.changed": {"Ödeme bilgileri başka bir sekmede değiştirilmişti, bu yüzden bir şey yapılmadı. Aşağıdaki bilgileri kontrol edip yeniden deneyin.", "The payment’s details were changed in another tab, so nothing was done. Check the details below and try again."},
	"notice.slow":    {"Kısa sürede çok sayıda işlem yaptınız; son isteğiniz uygulanmadı. Lütfen birkaç dakika bekleyip yeniden deneyin.", "You have made many changes in a short time, and the last one was not made. Please wait a few minutes and try again."},
	"notice.no_way":  {"Bu ödeme yolu şu anda kullanılamıyor. Biraz sonra yeniden deneyin ya da başka bir yol seçin.", "This way to pay is not available right now. Please try again shortly or choose another one."},

	"back.to":                {"%s sitesine dön", "Back to %s"},
	"failure.back":           {"Ödeme sayfasını aç", "Open the payment page"},
	"failure.request":        {"İstek numarası: %s", "Request number: %s"},
	"failure.missing.title":  {"Bu ödeme sayfası bulunamadı", "This payment page was not found"},
	"failure.missing.text":   {"Bağlantı eksik ya da hatalı olabilir. Ödemeyi başlattığınız siteye dönüp yeniden deneyin.", "The link may be incomplete or wrong. Go back to the site where you started the payment and try again."},
	"failure.method.title":   {"Bu adres böyle açılamaz", "This address cannot be opened this way"},
	"failure.method.text":    {"Hiçbir şey değiştirilmedi. Ödemenizi kendi sayfasında görebilirsiniz.", "Nothing was changed. You can see your payment on its own page."},
	"failure.form.title":     {"Form okunamadı", "The form could not be read"},
	"failure.form.text":      {"Hiçbir şey değiştirilmedi. Ödeme sayfasını açıp yeniden deneyin.", "Nothing was changed. Open the payment page and try again."},
	"failure.origin.title":   {"Bu istek kabul edilmedi", "This request was not accepted"},
	"failure.origin.text":    {"İstek başka bir siteden geldiği için hiçbir şey değiştirilmedi. İşleme ödeme sayfasından devam edin.", "It came from another site, so nothing was changed. Please go on from the payment page."},
	"failure.busy.title":     {"Şu anda yanıt veremiyoruz", "We cannot answer right now"},
	"failure.busy.text":      {"Ödemeniz kayıtlı, kaybolmadı. Bu sayfa birkaç saniyede bir kendiliğinden yeniden dener.", "Your payment is recorded and not lost. This page tries again by itself every few seconds."},
	"failure.return.title":   {"Şu anda yanıt veremiyoruz", "We cannot answer right now"},
	"failure.return.text":    {"Ödemeniz kayıtlı, kaybolmadı. Birkaç saniye sonra bu sayfayı yenileyin.", "Your payment is recorded and not lost. Please reload this page in a few seconds."},
	"failure.gateway.title":  {"Güvenli ödeme sayfası açılamadı", "The secure payment page could not be opened"},
	"failure.gateway.text":   {"Sorun kayda alındı ve ödemeniz duruyor. Ödeme sayfasına dönüp yeniden deneyin.", "The problem was recorded and your payment is kept. Go back to the payment page and try again."},
	"failure.internal.title": {"Bir şeyler ters gitti", "Something went wrong"},
	"failure.internal.text":  {"Sorun kayda alındı. Birkaç dakika sonra yeniden deneyin.", "The problem was recorded. Please try again in a few minutes."},
}
