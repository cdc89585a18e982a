package bank

// sentences is everything that the pages say, by key.
var sentences = map[string]struct{ tr, en string }{
	"sim":        {"SIM / Sandbox – gerçek para yok", "SIM / Sandbox – no real money"},
	"sim.text":   {"Bu bir denemedir. Gerçek kart veya cüzdan bilgisi girmeyin.", "This is a simulation. Do not enter a real card or wallet."},
	"language":   {"English", "Türkçe"}, // each in the language that it leads to
	"amount":     {"Tutar", "Amount"},
	"cancel":     {"Vazgeç", "Cancel"},
	"return":     {"İş yerine dön", "Return to the merchant"},
	"wrong":      {"Lütfen işaretli alanları düzeltin.", "Please correct the marked fields."},
	"retry":      {"Kart reddedildi. Yeniden deneyebilirsiniz.", "The card was declined. You may try again."},
	"hints.card": {"Deneme kartları", "Test cards"},

	"hints.wallet": {"Deneme cüzdanları", "Test wallets"},
	"hints.more":   {"Başka her numarada sonucu tutarın kuruşu belirler.", "With any other number the kuruş of the amount decide."},
	"hint.paid":    {"ödenir", "is paid"},
	"hint.code":    {"3D Secure kodu sorar: 123456", "asks for the 3-D Secure code: 123456"},
	"hint.soft":    {"önce reddedilir, ikinci denemede ödenir", "is declined first, and paid at the second try"},
	"hint.funds":   {"bakiye yetersiz", "has too little"},
	"hint.stolen":  {"çalıntı", "was reported stolen"},
	"hint.leave":   {"müşteri sayfayı kapatır", "the customer closes the page"},
	"hint.cancel":  {"müşteri vazgeçer", "the customer cancels"},

	"title.card": {"Kartla ödeme", "Pay by card"},
	"holder":     {"Kart üzerindeki ad", "Name on the card"},
	"number":     {"Kart numarası", "Card number"},
	"expiry":     {"Son kullanma (AA/YY)", "Expires (MM/YY)"},
	"cvc":        {"Güvenlik kodu", "Security code"},
	"pay":        {"Öde", "Pay"},

	"title.code": {"3D Secure doğrulaması", "3-D Secure check"},
	"code.text":  {"Bankanız telefonunuza bir kod gönderdi. Denemede kod 123456'dır.", "Your bank has sent a code to your phone. In the sandbox it is 123456."},
	"code":       {"Doğrulama kodu", "Code"},
	"code.left":  {"Kalan deneme", "Tries left"},
	"confirm":    {"Onayla", "Confirm"},

	"title.wallet": {"Cüzdanla ödeme", "Pay from a wallet"},
	"wallet":       {"Cüzdan numarası (10 hane)", "Wallet number (10 digits)"},

	"title.back": {"Ödemeniz alındı", "Your payment was taken"},
	"back.text":  {"Birkaç saniye içinde iş yerine döneceksiniz.", "You will be back with the merchant in a few seconds."},

	"title.end":       {"Ödeme durumu", "Where the payment stands"},
	"end.waiting":     {"Bankadan yanıt yok.", "The bank does not answer."},
	"end.processing":  {"Ödeme işleniyor.", "The payment is being processed."},
	"end.unconfirmed": {"Kartı veren bankadan yanıt bekleniyor.", "The card's issuer has not answered yet."},
	"end.review":      {"Ödeme inceleniyor.", "The payment is under review."},
	"end.paid":        {"Ödendi.", "Paid."},
	"end.failed":      {"Ödeme reddedildi.", "The payment was declined."},
	"end.canceled":    {"Ödeme iptal edildi.", "The payment was canceled."},
	"end.expired":     {"Ödeme süresi doldu.", "The time to pay is over."},
	"end.other":       {"Ödeme tamamlandı; ayrıntıları iş yeri bilir.", "The payment has ended; the merchant knows more."},
	"end.close":       {"Bu sayfayı kapatabilirsiniz.", "You may close this page."},

	"title.failure":   {"Bir sorun var", "Something is wrong"},
	"failure.missing": {"Böyle bir ödeme yok.", "There is no such payment."},
	"failure.down":    {"Banka şu anda kapalı. Bir dakika sonra yeniden deneyin.", "The bank is down. Try again in a minute."},
	"failure.broken":  {"İstek anlaşılamadı.", "The request could not be understood."},

	"problem.number": {"Kart numarası geçerli değil.", "The card number is not valid."},
	"problem.cvc":    {"Güvenlik kodu 3 veya 4 hanedir.", "The security code has 3 or 4 digits."},
	"problem.holder": {"Kart üzerindeki adı yazın.", "Enter the name on the card."},
	"problem.expiry": {"Tarihi AA/YY olarak yazın; geçmiş olmasın.", "Enter the date as MM/YY; it must not be past."},
	"problem.wallet": {"Cüzdan numarası 10 hanedir.", "A wallet number has 10 digits."},
	"problem.code":   {"Kod yanlış.", "The code is wrong."},
}
