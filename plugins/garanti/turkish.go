package garanti

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"Garanti BBVA virtual POS": "Garanti BBVA sanal POS",
	"Written from what public clients record of the bank's test system, and from the bank's own samples. Never run against the bank, neither in test nor with real money.": "Herkese " +
		"açık istemcilerin bankanın test sisteminden kaydettiklerine ve bankanın kendi örneklerine göre yazıldı. Bankayla ne test ortamında ne de gerçek " +
		"parayla çalıştırıldı.",
	"Merchant number":              "İşyeri numarası",
	"Terminal number":              "Terminal numarası",
	"Provision user":               "Provizyon kullanıcısı",
	"Asks about orders.":           "Siparişleri sorgular.",
	"Provision user's password":    "Provizyon kullanıcısının şifresi",
	"Payment page's user":          "Ortak ödeme sayfası kullanıcısı",
	"Payment page user's password": "Ortak ödeme sayfası kullanıcısının şifresi",
	"Of the shared payment page. Some terminals have PROVAUT for it.": "Ortak ödeme sayfasının kullanıcısı. Bazı terminallerde bunun yerine PROVAUT kullanılır.",
	"Refund user":            "İade kullanıcısı",
	"Refund user's password": "İade kullanıcısının şifresi",
	"Voids and gives back.":  "İptal ve iade eder.",
	"3-D Secure key":         "3D Secure şifresi",
	"The store key from the bank's panel. It signs forms, and checks what the customer brings back.": "Banka panelindeki store key. Formları imzalar, " +
		"müşterinin geri getirdiklerini doğrular.",
	"Name on the payment page": "Ödeme sayfasında görünen ad",
	"In plain letters.":        "Türkçe karakter kullanmadan.",
	"IP address":               "IP adresi",
	"Your server's own. Sent with questions and refunds, and where the customer's is not known.": "Sunucunuzun adresi. Sorgu ve iadelerde, bir de " +
		"müşterinin adresi bilinmediğinde gönderilir.",
	"Ask for the model": "Modeli isteyin",
	"Ask the bank to define 3D_OOS_PAY for the terminal and no other model, with sales without 3-D Secure off, and to let Vezne's addresses call the virtual POS.": "Bankadan " +
		"terminale yalnızca 3D_OOS_PAY modelini tanımlamasını, 3D Secure'suz satışı kapatmasını ve Vezne'nin adreslerinin sanal POS'a erişmesine izin " +
		"vermesini isteyin.",
	"Set the passwords": "Şifreleri belirleyin",
	"In the bank's virtual POS panel: set the passwords of the three users and the 3-D Secure key, in plain letters, digits and signs, and enter them here.": "Bankanın " +
		"sanal POS panelinde üç kullanıcının şifresini ve 3D Secure şifresini Türkçe karakter kullanmadan belirleyip buraya girin.",
}
