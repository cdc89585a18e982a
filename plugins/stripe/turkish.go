package stripe

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"Stripe Checkout": "Stripe Ödeme Sayfası",
	"Written from Stripe's API document; never run against Stripe, neither test nor live mode. Nobody has confirmed that a business in Turkey can have an account: ask Stripe before you plan with it.": "Stripe'ın " +
		"API belgesine göre yazıldı; ne test ne de canlı ortamda Stripe ile çalıştırıldı. Türkiye'deki bir işletmenin hesap açabileceği doğrulanmadı: plan yapmadan önce Stripe'a sorun.",
	"Secret key": "Gizli anahtar",
	"Developers > API keys. A restricted key needs to write Checkout Sessions, Charges and Refunds, Disputes and Files, and to read PaymentIntents.": "Developers > " +
		"API keys sayfasında. Kısıtlı anahtara Checkout Sessions, Charges and Refunds, Disputes ve Files için yazma, PaymentIntents için okuma izni gerekir.",
	"Signing secret of notifications": "Bildirimlerin imza anahtarı",
	"Of the event destination that you make for this account: it begins with whsec_.": "Bu hesap için oluşturduğunuz olay hedefinin anahtarı: " +
		"whsec_ ile başlar.",
	"3-D Secure": "3-D Secure",
	"any: wherever the card can. challenge: with a code of the bank's. automatic: where Stripe or the bank want it.": "any: kartın desteklediği " +
		"her ödemede. challenge: bankanın koduyla. automatic: Stripe veya banka isterse.",
	"Take the key": "Anahtarı alın",
	"Developers > API keys: make a restricted key, or copy the secret key. Test keys belong to the sandbox.": "Developers > API keys: kısıtlı bir " +
		"anahtar oluşturun veya gizli anahtarı kopyalayın. Test anahtarları deneme ortamı içindir.",
	"Make an event destination": "Olay hedefi oluşturun",
	"Developers > Webhooks: enter Vezne's notification address of this account, API version " + apiVersion +
		", and the events checkout.session.*, payment_intent.payment_failed, payment_intent.processing, payment_intent.succeeded, " +
		"charge.refunded, refund.*, charge.dispute.* and review.*.": "Developers > Webhooks: bu hesabın Vezne'deki bildirim adresini, API sürümü " +
		apiVersion + "'ı ve şu olayları girin: checkout.session.*, payment_intent.payment_failed, payment_intent.processing, " +
		"payment_intent.succeeded, charge.refunded, refund.*, charge.dispute.* ve review.*.",
	"Copy the signing secret": "İmza anahtarını kopyalayın",
	"The event destination shows it. After rolling it, enter the new one: the one before is taken, too.": "Olay hedefinin sayfasında görünür. " +
		"Yenilerseniz yenisini girin: bir önceki de kabul edilir.",
}
