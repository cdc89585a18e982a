package paytr

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"PayTR payment page": "PayTR ödeme sayfası",
	"Written from PayTR's public documentation; never run against PayTR, neither in test mode nor with real money.": "PayTR'ın herkese açık " +
		"belgelerine göre yazıldı; ne test modunda ne de gerçek parayla PayTR ile çalıştırıldı.",
	"Store number": "Mağaza no",
	"Support & Setup > Integration information in PayTR's panel.": "PayTR mağaza panelinde Destek & Kurulum > Entegrasyon Bilgileri.",
	"Store password": "Mağaza parolası",
	"From the same page. It signs what is sent, and checks what PayTR notifies.": "Aynı sayfada bulunur. Gönderilenleri imzalar, PayTR'ın " +
		"bildirimlerini doğrular.",
	"Store secret key":                        "Mağaza gizli anahtarı",
	"From the same page.":                     "Aynı sayfada bulunur.",
	"Buyer's email":                           "Alıcının e-postası",
	"Sent where the customer's is not known.": "Müşterininki bilinmiyorsa gönderilir.",
	"Buyer's phone":                           "Alıcının telefonu",
	"Buyer's address":                         "Alıcının adresi",
	"Sent for every customer.":                "Her müşteri için gönderilir.",
	"Buyer's IP address":                      "Alıcının IP adresi",
	"Take the keys":                           "Anahtarları alın",
	"Support & Setup > Integration information: copy the store's number, password and secret key.": "Destek & Kurulum > Entegrasyon Bilgileri: " +
		"mağaza no, parola ve gizli anahtarı kopyalayın.",
	"Set the notification address": "Bildirim adresini girin",
	"Support & Setup > Settings: enter Vezne's notification address of this account as Notification URL. It must be https. Without its answer PayTR pays nothing out.": "Destek " +
		"& Kurulum > Ayarlar: bu hesabın Vezne'deki bildirim adresini Bildirim URL olarak girin. https olmalıdır. Yanıtı alınmazsa PayTR ödemeyi aktarmaz.",
	"Agree on the buyer's data": "Alıcı bilgilerini kararlaştırın",
	"PayTR demands an email, a phone and an address of every buyer. Ask which of them may be the same for all customers of your business.": "PayTR " +
		"her alıcı için e-posta, telefon ve adres ister. Hangilerinin bütün müşterileriniz için aynı olabileceğini sorun.",
}
