package ccpayment

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"CCPayment (Sipay, QNBpay, PayBull and others)": "CCPayment (Sipay, QNBpay, PayBull ve diğerleri)",
	"Written from the public documentation and clients of Sipay and others; never run against any of the brands, neither in test nor with real money.": "Sipay " +
		"ve diğerlerinin herkese açık belge ve istemcilerine göre yazıldı; ne test ortamında ne de gerçek parayla hiçbir markayla çalıştırıldı.",
	"Brand": "Marka",
	"Who the agreement is with. It says which address is called.": "Sözleşmenin yapıldığı kuruluş. Hangi adresin çağrılacağını belirler.",
	"App key":                                "Uygulama anahtarı (app key)",
	"APP KEY (app id) in the brand's panel.": "Markanın panelinde APP KEY (app id).",
	"App secret":                             "Uygulama gizli anahtarı (app secret)",
	"APP SECRET in the brand's panel. It seals what is sent, and opens what the brand notifies.": "Markanın panelinde APP SECRET. " +
		"Gönderilenleri şifreler, markanın bildirimlerini açar.",
	"Merchant key":                       "Üye işyeri anahtarı (merchant key)",
	"MERCHANT KEY in the brand's panel.": "Markanın panelinde MERCHANT KEY.",
	"Name of the sale webhook":           "Satış webhook'unun adı",
	"The key under which Vezne's notification address is entered as a sale webhook in the brand's panel. Empty: the brand is only asked.": "Vezne'nin " +
		"bildirim adresinin markanın panelinde satış webhook'u olarak girildiği anahtar adı. Boşsa markaya yalnızca sorulur.",
	"Name of the refund webhook": "İade webhook'unun adı",
	"The same for refunds.":      "İadeler için aynısı.",
	"Ask for the page":           "Ödeme sayfasını isteyin",
	"Ask the brand to allow the branded payment page (purchase/link) with 3-D Secure, and to let Vezne's addresses call its API.": "Markadan " +
		"markalı ödeme sayfasını (purchase/link) 3-D Secure ile açmasını, Vezne'nin IP adreslerine API'sini açmasını isteyin.",
	"Take the keys": "Anahtarları alın",
	"In the brand's panel, API settings: copy merchant key, app key and app secret.": "Markanın panelinde API ayarları: merchant key, app key ve " +
		"app secret değerlerini kopyalayın.",
	"Set the webhooks": "Webhook'ları girin",
	"In the same place: enter Vezne's notification address of this account as a sale webhook and as a refund webhook, and enter the names that you gave them here.": "Aynı " +
		"yerde: bu hesabın Vezne'deki bildirim adresini satış ve iade webhook'u olarak girin, verdiğiniz adları buraya yazın.",
}
