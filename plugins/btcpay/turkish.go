package btcpay

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"In Turkey the regulation of 16 April 2021, in force since 30 April 2021, forbids using crypto assets directly " +
		"or indirectly in payments, and payment and e-money institutions to intermediate. This gateway is therefore off " +
		"until a person switches it on; whether it may be is for the operator and a lawyer to decide. Written from BTCPay " +
		"Server's public documentation and source; never run against a server.": "Türkiye'de 16 Nisan 2021 tarihli, 30 Nisan 2021'den beri " +
		"yürürlükteki yönetmelik kripto varlıkların ödemelerde doğrudan veya dolaylı kullanılmasını ve ödeme ile elektronik para " +
		"kuruluşlarının buna aracılık etmesini yasaklar. Bu yüzden bu ağ geçidi, bir kişi açana kadar kapalıdır; açılıp " +
		"açılamayacağına işletmeci ve avukatı karar verir. BTCPay Server'ın herkese açık belgelerine ve kaynak koduna göre " +
		"yazıldı; hiçbir sunucuyla çalıştırılmadı.",
	"Address of the server": "Sunucu adresi",
	"https://btcpay.example.com. The key goes there with every call: use https.": "https://btcpay.example.com. Anahtar her çağrıda oraya " +
		"gider: https kullanın.",
	"API key": "API anahtarı",
	"Account > Manage account > API keys, limited to the one store and to the permissions of the setup steps.": "Account > Manage " +
		"account > API keys; yalnızca bu mağaza için ve kurulum adımlarındaki izinlerle.",
	"Store ID":                          "Mağaza kimliği",
	"Settings > General of the store.":  "Mağazanın Settings > General sayfasında.",
	"Secret of the webhook":             "Webhook gizli anahtarı",
	"Settings > Webhooks of the store.": "Mağazanın Settings > Webhooks sayfasında.",
	"Payment methods":                   "Ödeme yöntemleri",
	"BTC-CHAIN, BTC-LN, separated by commas. With BTC-CHAIN alone the customer pays on Vezne's own page; otherwise on the server's.": "BTC-CHAIN, " +
		"BTC-LN; virgülle ayrılmış. Yalnızca BTC-CHAIN varsa müşteri Vezne'nin sayfasında, yoksa sunucunun sayfasında öder.",
	"Confirmations": "Onay sayısı",
	"How many blocks make a payment count: MediumSpeed 1, LowMediumSpeed 2, LowSpeed 6.": "Ödemenin sayılması için gereken blok: " +
		"MediumSpeed 1, LowMediumSpeed 2, LowSpeed 6.",
	"Tolerance in percent": "Tolerans (yüzde)",
	"How much may be missing of an amount that the server still calls paid. What is missing shows all the same, and is held for staff.": "Sunucunun " +
		"ödendi saydığı tutarda ne kadar eksik olabilir. Eksik yine görünür ve personele bırakılır.",
	"Payout method":           "Çekim yöntemi",
	"Create payouts approved": "Çekimleri onaylı oluştur",
	"Off, each payout waits until a person approves it on the server. On, the key alone decides: it needs the permission btcpay.store.cancreatepullpayments.": "Kapalıysa " +
		"her çekim, biri sunucuda onaylayana kadar bekler. Açıksa anahtar tek başına karar verir: btcpay.store.cancreatepullpayments izni gerekir.",
	"Watched after expiry, in minutes":                      "Süre dolduktan sonra izleme (dakika)",
	"60 to 1440. How long the server looks for late money.": "60 ile 1440 arası. Sunucunun geç gelen parayı ne kadar bekleyeceği.",
	"Prepare the store":                                     "Mağazayı hazırlayın",
	"BTCPay Server 2.0 or later. Set up the wallet of every payment method, and in Settings > Rates a source that has TRY (btcturk is the default).": "BTCPay " +
		"Server 2.0 veya sonrası. Her ödeme yönteminin cüzdanını kurun; Settings > Rates altında TRY veren bir kaynak seçin (varsayılan btcturk).",
	"Create the API key": "API anahtarını oluşturun",
	"Account > Manage account > API keys, for this store only: " + permissions: "Account > Manage account > API keys, yalnızca bu mağaza için " +
		"şu izinlerle: btcpay.store.cancreateinvoice, btcpay.store.canviewinvoices, btcpay.store.canmodifyinvoices, " +
		"btcpay.store.cancreatenonapprovedpullpayments, btcpay.store.canviewpullpayments, btcpay.store.canviewpayouts, " +
		"btcpay.store.canmanagepayouts; açık ödeme yöntemlerini görmek için btcpay.store.canviewstoresettings.",
	"Create the webhook": "Webhook oluşturun",
	"Settings > Webhooks: Vezne's notification address of this account, automatic redelivery on, and the events of invoices and payouts. Copy the secret.": "Settings > " +
		"Webhooks: bu hesabın Vezne'deki bildirim adresini girin, otomatik yeniden göndermeyi açın, fatura ve çekim olaylarını seçin. Gizli anahtarı kopyalayın.",
	"Decide who pays out": "Çekimi kimin yapacağına karar verin",
	"A payout that is approved waits until the wallet sends it: by hand under Payouts, or by an automated payout processor.": "Onaylanan " +
		"çekim, cüzdan gönderene kadar bekler: Payouts altında elle veya otomatik çekim işleyicisiyle.",
}
