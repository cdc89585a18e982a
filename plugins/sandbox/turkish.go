package sandbox

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"Vezne Sandbox": "Vezne deneme ortamı",
	"A simulator: it moves no money, whatever it says.": "Benzetim: ne derse desin hiç para hareket etmez.",
	"Start the sandbox": "Deneme ortamını başlatın",
	"The demo starts one by itself. Otherwise serve package bank, and give its address as base_url.": "Demo kendiliğinden başlatır. Aksi " +
		"halde bank paketini çalıştırıp adresini base_url olarak verin.",
	"Name the notification address": "Bildirim adresini verin",
	"Deposits bring it along. For payouts, transfers and statement lines the sandbox is started with it (NotifyURL).": "Yatırmalar adresi " +
		"kendileri taşır. Çekimler, transferler ve hesap hareketleri için deneme ortamı bu adresle başlatılır (NotifyURL).",
	"Take over the keys": "Anahtarları alın",
	"Give the key and the three secrets that the sandbox was started with.": "Deneme ortamının başlatıldığı anahtarı ve üç gizli anahtarı girin.",
	"Address of the sandbox":             "Deneme ortamının adresi",
	"Without /v1: http://127.0.0.1:9090": "/v1 olmadan: http://127.0.0.1:9090",
	"API key":                            "API anahtarı",
	"Says who asks.":                     "Kimin sorduğunu söyler.",
	"API secret":                         "API gizli anahtarı",
	"Signs every request.":               "Her isteği imzalar.",
	"Notification secret":                "Bildirim gizli anahtarı",
	"Signs every notification. The one before a change is taken beside it.": "Her bildirimi imzalar. Değişiklikten önceki de bir süre kabul edilir.",
	"Wallet secret": "Cüzdan gizli anahtarı",
	"Stands in wallet notifications that have no signature. Empty: those are refused.": "İmzasız cüzdan bildirimlerinde bulunur. Boşsa bunlar reddedilir.",
	"attempted: a card that can't be checked is taken, too.":                           "attempted: doğrulanamayan kart da kabul edilir.",
	"Collecting accounts": "Tahsilat hesapları",
	"IBANs to which the sandbox has customers pay: that of its first account. No dealer's account may be one.": "Müşterilerin " +
		"ödeyeceği IBAN'lar: ilk hesabınki. Hiçbir bayinin hesabı bunlardan olamaz.",
}
