package akbank

// turkish are the descriptor's texts in Turkish.
var turkish = map[string]string{
	"Akbank virtual POS": "Akbank sanal POS",
	"Written from what public clients record of the bank's test system: the manual is given to merchants alone. Never run against the bank, neither in test nor with real money.": "Herkese " +
		"açık istemcilerin bankanın test sisteminden kaydettiklerine göre yazıldı: kılavuz yalnızca üye işyerlerine verilir. Bankayla ne test " +
		"ortamında ne de gerçek parayla çalıştırıldı.",
	"Merchant number":                     "Güvenli işyeri numarası",
	"The bank calls it merchant safe id.": "Bankada merchant safe id diye geçer.",
	"Terminal number":                     "Güvenli terminal numarası",
	"The bank calls it terminal safe id.": "Bankada terminal safe id diye geçer.",
	"Secret key":                          "Gizli anahtar",
	"The terminal's key in the bank's panel, as it stands there. It signs requests and forms, and checks what the customer brings back.": "Banka " +
		"panelindeki terminal anahtarı; orada yazdığı gibi girin. İstekleri ve formları imzalar, müşterinin geri getirdiklerini doğrular.",
	"Ask for the model": "Modeli isteyin",
	"Ask the bank to allow 3D Pay Hosting on the JSON virtual POS, with sales without 3-D Secure off, and to let Vezne's addresses call its API.": "Bankadan " +
		"JSON sanal POS'ta 3D Pay Hosting modelini açmasını, 3-D Secure'suz satışı kapatmasını ve Vezne'nin adreslerinin API'ye erişmesine izin " +
		"vermesini isteyin.",
	"Take the keys": "Anahtarları alın",
	"In the bank's virtual POS panel: copy the merchant's and the terminal's safe id, and the secret key.": "Bankanın sanal POS panelinde: güvenli " +
		"işyeri ve terminal numaralarını ve gizli anahtarı kopyalayın.",
}
