package nestpay

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"NestPay virtual POS": "NestPay sanal POS",
	"Written from what public clients record of the banks' answers: the manuals are given to merchants alone. Never run against a bank, neither test nor production.": "Herkese " +
		"açık istemcilerin kaydettiği banka yanıtlarına göre yazıldı: kılavuzlar yalnızca üye işyerlerine verilir. Ne test ne de gerçek ortamda bir bankayla çalıştırıldı.",
	"API address": "API adresi",
	"The bank's address that ends with /fim/api.":       "Bankanın /fim/api ile biten adresi.",
	"Payment page address":                              "Ödeme sayfası adresi",
	"The bank's address that ends with /fim/est3Dgate.": "Bankanın /fim/est3Dgate ile biten adresi.",
	"Store number": "Mağaza numarası",
	"The bank calls it client id or store number.": "Bankada client id, mağaza veya üye işyeri numarası diye geçer.",
	"API user": "API kullanıcısı",
	"A user of the type API, not your own of the panel.": "API türünde bir kullanıcı; panele girdiğiniz kullanıcı değil.",
	"API password":               "API şifresi",
	"The password of that user.": "Bu kullanıcının şifresi.",
	"Store key":                  "Üye işyeri anahtarı (store key)",
	"The 3-D Secure key that you have set in the bank's panel. It signs forms and checks what the bank posts.": "Banka panelinde " +
		"belirlediğiniz 3-D Secure anahtarı. Formları imzalar, bankanın gönderdiklerini doğrular.",
	"Notifications": "Bildirimler",
	"on: the bank tells of a payment though the customer never comes back. fast: within ten seconds. off: for a bank that then posts each payment twice.": "on: müşteri " +
		"geri dönmese de banka ödemeyi bildirir. fast: on saniye içinde. off: bu durumda her ödemeyi iki kez gönderen bankalar için.",
	"Ask for the model": "Modeli isteyin",
	"Ask the bank to allow 3D Pay Hosting with hash version 3, and to take sales without 3-D Secure off.": "Bankadan hash sürüm 3 ile 3D Pay " +
		"Hosting modelini açmasını, 3-D Secure'suz satışı kapatmasını isteyin.",
	"Make an API user": "API kullanıcısı oluşturun",
	"In the bank's panel: a user of the type API that may query, void and refund.": "Banka panelinde: sorgulama, iptal ve iade yetkisi olan, " +
		"API türünde bir kullanıcı.",
	"Set the store key": "Anahtarı belirleyin",
	"In the bank's panel: the 3-D Secure store key. Enter the same here.": "Banka panelinde: 3-D Secure üye işyeri anahtarı (store key). Buraya " +
		"aynısını girin.",
}
