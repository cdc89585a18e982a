package paypage

import (
	"fmt"

	"github.com/vezne/vezne/core/lang"
)

// sentence gives a customer's sentence in a language.
func sentence(t lang.Tag, key string, args ...any) (string, error) {
	s, ok := sentences[key]
	if !ok {
		return "", fmt.Errorf("paypage: no sentence for %q", key)
	}
	text := s.tr
	if t == lang.EN {
		text = s.en
	}
	if len(args) == 0 {
		return text, nil
	}
	return fmt.Sprintf(text, args...), nil
}

// sentences is everything that the page says, by key. They are for people in a hurry: short, polite (siz), no jargon,
// and never a promise that Vezne cannot keep.
var sentences = map[string]struct{ tr, en string }{
	"language.switch": {"English", "Türkçe"}, // each in the language that it leads to
	"language.label":  {"Dil", "Language"},
	"page.by":         {"Ödeme sayfası: Vezne", "Payment page by Vezne"},
	"code.label":      {"Takip kodu", "Tracking code"},
	"copy":            {"Kopyala", "Copy"},
	"copy.done":       {"Kopyalandı", "Copied"},
	"copy.failed":     {"Kopyalanamadı. Metni seçip elle kopyalayın.", "Copying failed. Please select the text and copy it by hand."},
	"offline":         {"Bağlantı kurulamıyor, yeniden deneniyor…", "No connection. Trying again…"},
	"steps.label":     {"Ödeme adımları", "Payment steps"},
	"steps.amount":    {"Tutar", "Amount"},
	"steps.pay":       {"Transfer", "Transfer"},
	"steps.checking":  {"Onay", "Confirmation"},
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
	"pay.hint.own":   {"Kendi adınıza kayıtlı bir hesaptan gönderin.", "Send from an account in your own name."},
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
	"cancel.yes":     {"Evet, iptal et", "Yes, cancel"},

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
	"expired.title":     {"Ödeme süresi doldu", "This payment has expired"},
	"expired.stop":      {"Size gösterilen hesaba artık para göndermeyin.", "Please do not send money to the account that you were shown any more."},
	"expired.lead":      {"Yeni bir ödeme için %s sitesine dönün.", "To make a new payment, go back to %s."},
	"sent.title":        {"Parayı gönderdiyseniz", "If you have sent the money"},
	"sent.text":         {"%s desteğine bu takip kodunu ve dekontu iletin. Ödemeniz bu kodla bulunur.", "Give %s support this tracking code and your receipt. They can find your payment with it."},

	"notice.stale":   {"Siz düğmeye basmadan önce ödemenin durumu değişmişti, bu yüzden bir şey yapılmadı. Güncel durum aşağıda.", "Your payment had moved on before you pressed the button, so nothing was changed. This is where it stands now."},
	"notice.changed": {"Ödeme bilgileri başka bir sekmede değiştirilmişti, bu yüzden bir şey yapılmadı. Aşağıdaki bilgileri kontrol edip yeniden deneyin.", "The payment’s details were changed in another tab, so nothing was done. Check the details below and try again."},

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
	"failure.internal.title": {"Bir şeyler ters gitti", "Something went wrong"},
	"failure.internal.text":  {"Sorun kayda alındı. Birkaç dakika sonra yeniden deneyin.", "The problem was recorded. Please try again in a few minutes."},
}
