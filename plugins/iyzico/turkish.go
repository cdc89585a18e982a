package iyzico

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"iyzico Checkout Form": "iyzico Ödeme Formu",
	"Written from iyzico's public documentation; never run against iyzico, neither sandbox nor production.": "iyzico'nun herkese " +
		"açık belgelerine göre yazıldı; ne deneme ne de gerçek ortamında iyzico ile çalıştırıldı.",
	"API key": "API anahtarı",
	"Settings > Merchant Settings > API keys in iyzico's panel. In the sandbox it begins with " + sandboxPrefix + ".": "iyzico panelinde " +
		"Ayarlar > Üye İşyeri Ayarları > API anahtarları. Deneme ortamında " + sandboxPrefix + " ile başlar.",
	"Secret key": "Güvenlik anahtarı",
	"From the same page. It signs what is sent, and checks what iyzico answers and notifies.": "Aynı sayfada bulunur. Gönderilenleri " +
		"imzalar, iyzico'nun yanıtlarını ve bildirimlerini doğrular.",
	"Always 3-D Secure": "Her zaman 3-D Secure",
	"Off, the card's bank decides whether the customer has to confirm.": "Kapalıysa müşterinin onay verip vermeyeceğine kartın bankası karar verir.",
	"Installments": "Taksitler",
	"Counts that the form offers, separated by commas: 1, 2, 3, 4, 6, 9, 12. With more than 1, customers may pay interest beyond the order.": "Formda " +
		"sunulacak taksit sayıları, virgülle ayrılmış: 1, 2, 3, 4, 6, 9, 12. Birden fazlaysa müşteri tutarın üzerine vade farkı ödeyebilir.",
	"Signature of notifications": "Bildirim imzası",
	"Only after iyzico's support has switched it on for the account. Off: a notification is a hint to ask iyzico.": "Yalnızca iyzico " +
		"destek ekibi hesabınız için açtıktan sonra. Kapalıysa bildirim, iyzico'ya sormak için bir işaret sayılır.",
	"Buyer's identity number": "Alıcının kimlik numarası",
	"Sent for every customer. Agree with iyzico on which one may be used.": "Her müşteri için gönderilir. Hangisinin kullanılabileceğini iyzico ile kararlaştırın.",
	"Buyer's email": "Alıcının e-postası",
	"Sent where the customer's is not known.": "Müşterininki bilinmiyorsa gönderilir.",
	"Buyer's phone": "Alıcının telefonu",
	"Sent where the customer's is not known: +905350000000.": "Müşterininki bilinmiyorsa gönderilir: +905350000000.",
	"Buyer's address":    "Alıcının adresi",
	"Buyer's city":       "Alıcının şehri",
	"Buyer's country":    "Alıcının ülkesi",
	"Buyer's IP address": "Alıcının IP adresi",
	"Sent where the customer's is not known, and with refunds.": "Müşterininki bilinmiyorsa ve iadelerde gönderilir.",
	"Take the keys": "Anahtarları alın",
	"Settings > Merchant Settings > API keys: copy the API key and the secret key.": "Ayarlar > Üye İşyeri Ayarları > API anahtarları: " +
		"API anahtarını ve güvenlik anahtarını kopyalayın.",
	"Set the notification address": "Bildirim adresini girin",
	"Settings > Merchant Settings > Merchant Notifications: enter Vezne's notification address of this account. It must be https.": "Ayarlar > " +
		"Üye İşyeri Ayarları > Bildirimler: bu hesabın Vezne'deki bildirim adresini girin. https olmalıdır.",
	"Have notifications signed": "Bildirim imzasını açtırın",
	"Ask iyzico's integration support to switch on X-IYZ-SIGNATURE-V3. Until they have, set the signature of notifications to off.": "iyzico " +
		"entegrasyon desteğinden X-IYZ-SIGNATURE-V3'ü açmasını isteyin. Açılana kadar bildirim imzasını kapalı tutun.",
	"Agree on the buyer's data": "Alıcı bilgilerini kararlaştırın",
	"iyzico demands an identity number, an address, an email and a phone of every buyer. Ask which of them may be the same for all customers of your business.": "iyzico " +
		"her alıcı için kimlik numarası, adres, e-posta ve telefon ister. Hangilerinin bütün müşterileriniz için aynı olabileceğini sorun.",
}
