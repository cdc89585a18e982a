package lang

import "strings"

// Label returns what people call a value of an enum of the staff's API, and whether there is a word for it. Columns of exports are
// called what their heads say.
func Label(t Tag, enum, value string) (label string, ok bool) {
	word, ok := labels[enum][value]
	if enum == "ExportColumn" {
		word, ok = sentences["column."+strings.ToLower(value)]
	}
	if t == EN {
		return word.en, ok
	}
	return word.tr, ok
}

// Labels lists what there are labels of: "Role.ADMIN".
func Labels() (keys []string) {
	for enum, values := range labels {
		for value := range values {
			keys = append(keys, enum+"."+value)
		}
	}
	return keys
}

// labels by enum and value, as the schema of the staff's API calls them.
var labels = map[string]map[string]sentence{
	"ActorKind": {
		"PROVIDER": {"Sağlayıcı", "Provider"}, "DEALER": {"Bayi", "Dealer"}, "CUSTOMER": {"Müşteri", "Customer"},
		"STAFF": {"Personel", "Staff"}, "GATEWAY": {"Ağ geçidi", "Gateway"}, "SYSTEM": {"Sistem", "System"},
	},
	"ApprovalStatus": {
		"WAITING": {"Onay bekliyor", "Waiting"}, "APPROVED": {"Onaylandı", "Approved"}, "REFUSED": {"Reddedildi", "Refused"},
		"WITHDRAWN": {"Geri çekildi", "Withdrawn"}, "LAPSED": {"Süresi doldu", "Lapsed"},
		"OBSOLETE": {"Geçersiz kaldı", "Obsolete"},
	},
	"AuditProblemKind": {
		"CHANGED": {"Değiştirilmiş kayıt", "Changed entry"}, "MISSING": {"Eksik kayıt", "Missing entry"},
		"UNLINKED": {"Eksik halka", "Missing link"}, "INSERTED": {"Araya eklenmiş halka", "Inserted link"},
		"UNKEYED": {"Anahtarsız halka", "Link without a key"}, "UNKNOWN_KEY": {"Bilinmeyen anahtar", "Unknown key"},
		"HEAD":        {"Zincir sonu uyuşmuyor", "Chain end differs"},
		"CHECKPOINT":  {"İmzalı zincir sonu geçersiz", "Invalid signed chain end"},
		"FORGED_HEAD": {"Sahte zincir sonu", "Forged chain end"},
		"DROPPED":     {"Saklama süresi dolan kayıtların halkaları değişmiş", "Links of dropped entries changed"},
	},
	"ChangeKind": {
		"TEXT": {"Metin", "Text"}, "MONEY": {"Tutar", "Money"}, "NUMBER": {"Sayı", "Number"}, "YES_NO": {"Evet/hayır", "Yes or no"},
		"TIME": {"Zaman", "Time"}, "ENUM": {"Seçenek", "Choice"}, "DEALER": {"Bayi", "Dealer"},
		"PROVIDER": {"Sağlayıcı", "Provider"}, "GATEWAY": {"Ağ geçidi", "Gateway"},
	},
	"BankLineDirection": {
		"INCOMING": {"Gelen", "Incoming"}, "OUTGOING": {"Giden", "Outgoing"},
	},
	"BankLineStatus": {
		"MATCHED": {"Eşleşti", "Matched"}, "UNMATCHED": {"Eşleşmedi", "Unmatched"}, "DOUBTFUL": {"Kararsız", "Doubtful"},
		"SET_ASIDE": {"Ayrıldı", "Set aside"}, "UNBOOKED": {"Deftere işlenmedi", "Not booked"},
		"REVERSED": {"Geri alındı", "Reversed"},
	},
	"CallbackAcknowledgement": {
		"STATUS_200": {"Yalnızca HTTP 200", "HTTP 200 alone"}, "ANY_2XX": {"Her 2xx yanıtı", "Any 2xx"},
	},
	"CallbackKind": {
		"DEPOSIT":       {"Yatırma bildirimi", "Deposit callback"},
		"EIBAN_DEPOSIT": {"E-IBAN yatırma bildirimi", "E-IBAN deposit callback"},
		"WITHDRAWAL":    {"Çekim bildirimi", "Withdrawal callback"}, "CREDIT_CARD": {"Kart bildirimi", "Card callback"},
		"DEALER_CARD":       {"Bayi kart bildirimi", "Dealer card callback"},
		"DEALER_DEPOSIT":    {"Bayi yatırma bildirimi", "Dealer deposit callback"},
		"DEALER_WITHDRAWAL": {"Bayi çekme bildirimi", "Dealer withdrawal callback"},
		"DEALER_TRANSFER":   {"Bayi transfer bildirimi", "Dealer transfer callback"},
	},
	"CallbackAnswer": {
		"SUCCESS": {"Başarılı yanıt (2xx)", "Success (2xx)"}, "REDIRECT": {"Yönlendirme (3xx)", "Redirect (3xx)"},
		"CLIENT_ERROR": {"İstek reddedildi (4xx)", "Request refused (4xx)"},
		"SERVER_ERROR": {"Sunucu hatası (5xx)", "Server error (5xx)"},
		"NO_ANSWER":    {"Yanıt yok", "No answer"}, "NO_ATTEMPT": {"Deneme kaydı yok", "No attempt on record"},
	},
	"CallbackStatus": {
		"WAITING": {"Bekliyor", "Waiting"}, "DELIVERED": {"Teslim edildi", "Delivered"},
		"FAILED": {"Teslim edilemedi", "Failed"}, "SKIPPED": {"Adres tanımlı değil", "No address set"},
		"SUPERSEDED": {"Yenisi geçerli", "Superseded"},
	},
	"CredentialKind": {
		"API_KEY": {"API anahtarı", "API key"}, "SECRET_KEY": {"Gizli anahtar", "Secret key"},
		"VERIFICATION_KEY": {"Doğrulama anahtarı", "Verification key"},
		"WEBHOOK_SECRET":   {"Webhook gizli anahtarı", "Webhook secret"},
		"CREDENTIAL_KEY":   {"Site anahtarı", "Site credential key"}, "SITE_TOKEN": {"Site jetonu", "Site token"},
		"INVITATION_LINK": {"Davet bağlantısı", "Invitation link"},
	},
	"CreditSource": {
		"BANK_LINE": {"Banka hareketi", "Bank line"}, "OPERATION": {"Ağ geçidi işlemi", "Gateway operation"},
		"STAFF": {"Personel beyanı", "Staff decision"}, "DISPUTE": {"İtiraz", "Dispute"}, "BEFORE_CREDITS": {"Bilinmiyor", "Not recorded"},
	},
	"DisputeState": {
		"INQUIRY": {"Bilgi talebi", "Inquiry"}, "NEEDS_RESPONSE": {"Yanıt bekliyor", "Needs response"}, "UNDER_REVIEW": {"İncelemede", "Under review"},
		"WON": {"Kazanıldı", "Won"}, "LOST": {"Kaybedildi", "Lost"}, "CLOSED": {"Kapandı", "Closed"}, "UNKNOWN": {"Bilinmiyor", "Unknown"},
	},
	"DisputeReason": {
		"FRAUD": {"Sahtecilik", "Fraud"}, "UNRECOGNIZED": {"Ödeme tanınmadı", "Not recognized"}, "AUTHORIZATION": {"Onay eksikliği", "Authorization"},
		"PROCESSING_ERROR": {"İşlem hatası", "Processing error"}, "DUPLICATE": {"Mükerrer ödeme", "Duplicate"},
		"NOT_RECEIVED": {"Ürün veya hizmet alınmadı", "Not received"}, "NOT_AS_DESCRIBED": {"Tarif edildiği gibi değil", "Not as described"},
		"CANCELED": {"İptal edilmişti", "Canceled"}, "CREDIT_NOT_ISSUED": {"İade yapılmadı", "Refund not issued"}, "OTHER": {"Diğer", "Other"},
	},
	"DisputeSort": {
		"CREATED_DESC": {"En yeni önce", "Newest first"}, "EVIDENCE_DUE_ASC": {"Son yanıt tarihi en yakın önce", "Nearest deadline first"},
	},
	"EvidenceKind": {
		"STATEMENT": {"Açıklama", "Statement"}, "PRODUCT": {"Satılan ürün veya hizmet", "Product or service"},
		"RECEIPT": {"Makbuz veya fatura", "Receipt or invoice"}, "COMMUNICATION": {"Müşteriyle yazışma", "Correspondence with the customer"},
		"SERVICE": {"Teslim veya kullanım belgesi", "Proof of delivery or use"}, "OTHER": {"Diğer belge", "Other document"},
	},
	"EvidenceOutcome": {
		"PENDING": {"Gönderiliyor", "Being sent"}, "SUBMITTED": {"İletildi", "Submitted"}, "REFUSED": {"Ağ geçidi reddetti", "Refused by the gateway"},
		"MISSED": {"Süresinde iletilemedi", "Too late"},
	},
	"NoteAudience": {
		"HOUSE": {"Yalnızca biz", "Only us"}, "DEALER": {"Biz ve bayi", "Us and the dealer"},
		"ALL": {"Bayi ve sağlayıcı da", "The dealer and the provider, too"},
	},
	"NoteKind": {
		"TEXT": {"Not", "Note"}, "RECEIPT": {"Dekont", "Receipt"}, "BANK_REFERENCE": {"Banka referansı", "Bank reference"},
	},
	"DecisionName": {
		"APPROVE_DEPOSIT": {"Onayla", "Approve"}, "REJECT_DEPOSIT": {"Reddet", "Decline"},
		"CORRECT_CREDIT":   {"Tutarı düzelt", "Correct the amount"},
		"CLAIM_WITHDRAWAL": {"Üstlen", "Claim"}, "COMPLETE_WITHDRAWAL": {"Ödendi", "Record as paid"},
		"RELEASE_WITHDRAWAL": {"Bırak", "Release"}, "REJECT_WITHDRAWAL": {"Çekimi reddet", "Decline the withdrawal"},
		"FAIL_WITHDRAWAL": {"Ödenemedi", "Could not be paid"}, "CANCEL_WITHDRAWAL": {"Çekimi iptal et", "Cancel the withdrawal"},
		"APPROVE_PAYOUT": {"Göndermeyi onayla", "Approve the payout"}, "CONFIRM_PAYOUT": {"Kodu gir", "Enter the code"},
		"REJECT_PAYOUT": {"Göndermeyi reddet", "Decline the payout"}, "FAIL_PAYOUT": {"Gönderilemedi", "Could not be sent"},
		"CANCEL_PAYOUT": {"Göndermeyi iptal et", "Cancel the payout"}, "REFUND_TRANSACTION": {"İade et", "Refund"},
		"APPROVE_HELD_DEPOSIT": {"Ağ geçidindeki parayı al", "Take the held money"}, "DECLINE_HELD_DEPOSIT": {"Ağ geçidindeki parayı reddet", "Decline the held money"},
	},
	"DecisionWarning": {
		"AMOUNT_DIFFERS":    {"Tutar istenenden farklı", "The amount differs from what was asked for"},
		"NO_ACCOUNT_SHOWN":  {"Müşteriye hesap gösterilmemiş", "The customer was shown no account"},
		"NO_MONEY_REPORTED": {"Paranın geldiği henüz bildirilmedi", "No incoming money has been reported yet"},
		"OVER_MULTIPLE":     {"Tutar istenenin kat kat üstünde", "The amount is a multiple of what was asked for"},
		"OVER_MAXIMUM":      {"Tutar hesabın üst sınırını aşıyor", "The amount exceeds the account's maximum"},
		"OVER_DEALER_CAP":   {"Tutar bayinin elle onay sınırını aşıyor", "The amount exceeds the dealer's limit for manual credits"},
		"HAD_ENDED":         {"İşlem sona ermişti veya süresi dolmuştu", "The transaction had ended, or its time was over"},
		"SUSPECT_IBAN":      {"IBAN hatalı görünüyor", "The IBAN looks wrong"},
		"TAKES_OVER":        {"Başkası üstlenmişti, ödemiş olabilir", "Somebody else had claimed it and may have paid it"},
		"MAY_HAVE_LEFT":     {"Para gönderilmiş olabilir", "The money may have been sent already"},
		"PAID_ALREADY":      {"Son iki günde aynı tutarda başka bir ödeme tamamlandı", "An equal payment was completed within the last two days"},
		"NO_CALLBACK_URL":   {"Geri bildirim adresi yok, kimseye haber verilmez", "No callback URL is set, so nobody is told"},
		"REPORTED_BEFORE":   {"Daha önce başka bir sonuç bildirildi", "Another outcome was reported before"},
	},
	"DifferenceKind": {
		"MISSING_HERE":   {"Bankada var, defterde yok", "Missing in the ledger"},
		"MISSING_THERE":  {"Defterde var, bankada yok", "Missing at the bank"},
		"AMOUNT_DIFFERS": {"Tutar farklı", "Amount differs"}, "BALANCE_DIFFERS": {"Bakiye farklı", "Balance differs"},
	},
	"DiscrepancyKind": {
		"LATE": {"Geç gelen para", "Late money"}, "SURPLUS": {"Mükerrer ödeme", "Paid again"},
		"SHORT": {"Eksik ödeme", "Underpaid"}, "OVER": {"Fazla ödeme", "Overpaid"},
		"OTHER_CURRENCY": {"Başka para birimi", "Other currency"},
		"REVIEW":         {"Ağ geçidi incelemesinde", "Under gateway review"}, "REVERSED": {"Geri alınan ödeme", "Reversed payment"},
		"REFUND": {"Ağ geçidinde iade", "Refunded at the gateway"}, "DISPUTE": {"Ters ibraz", "Chargeback"},
		"RETURNED": {"Geri dönen çekim", "Returned payout"}, "LATE_PAYOUT": {"Sonradan gönderilen çekim", "Late payout"},
		"MISSING_PAYOUT": {"Ağ geçidinde bulunmayan çekim", "Missing payout"},
		"UNKNOWN":        {"Sonucu bilinmiyor", "Unknown outcome"},
		"CODE_WANTED":    {"Onay kodu bekliyor", "Confirmation code needed"},
		"CREDIT_DIFFERS": {"Elle onaylanandan farklı tutar", "Differs from the manual credit"},
		"STUCK":          {"Takılan işlem", "Stuck operation"},
		"UNCONFIRMED":    {"Doğrulanamayan bildirim", "Unconfirmed notification"},
	},
	"DiscrepancyStatus": {
		"OPEN": {"Açık", "Open"}, "ACCEPTED": {"Kabul edildi", "Accepted"}, "REFUNDING": {"İade ediliyor", "Being refunded"},
		"REFUNDED": {"İade edildi", "Refunded"}, "WRITTEN_OFF": {"Kapatıldı", "Written off"},
		"SETTLED": {"Kendiliğinden çözüldü", "Settled"},
	},
	"ExportFormat": {
		"CSV": {"CSV", "CSV"}, "XLSX": {"Excel (XLSX)", "Excel (XLSX)"},
	},
	"ExportSubject": {
		"STATEMENT": {"Hesap özeti", "Statement"}, "LEDGER": {"Defter", "Ledger"}, "BANK_LINES": {"Banka satırları", "Bank lines"},
		"STATISTICS": {"İstatistik", "Statistics"}, "AUDIT": {"Denetim kaydı", "Audit log"},
	},
	"FactorKind": {
		"TOTP": {"Doğrulama uygulaması", "Authenticator app"}, "PASSKEY": {"Geçiş anahtarı", "Passkey"},
		"RECOVERY_CODE": {"Kurtarma kodu", "Recovery code"},
	},
	"GatewayApproval": {
		"NONE": {"Onaysız", "None"}, "CODE": {"Onay kodu", "Confirmation code"},
		"MANUAL": {"Ağ geçidi panelinde", "In the gateway's panel"},
	},
	"GatewayCapability": {
		"START_DEPOSIT": {"Yatırma başlatma", "Start deposits"}, "READ_DEPOSIT": {"Yatırma sorgulama", "Query deposits"},
		"FINISH_RETURN": {"Müşteri dönüşünü sonuçlandırma", "Complete customer returns"},
		"LIST_DEPOSITS": {"Yatırmaları listeleme", "List deposits"}, "CANCEL_DEPOSIT": {"Yatırma iptali", "Cancel deposits"},
		"REVIEW_DEPOSIT": {"Bekletilen yatırmaya karar", "Decide about held deposits"},
		"REFUND":         {"İade", "Refund"}, "QUOTE": {"Kur teklifi", "Quote"},
		"LIST_OPTIONS":      {"Seçenekleri listeleme", "List options"},
		"READ_NOTIFICATION": {"Bildirim alma", "Receive notifications"}, "PAY_OUT": {"Çekim gönderme", "Pay out"},
		"CHECK_PAYOUT": {"Çekim ön kontrolü", "Check payouts"}, "APPROVE_PAYOUT": {"Çekim onay kodu", "Confirm payouts"},
		"CANCEL_PAYOUT":  {"Çekim iptali", "Cancel payouts"},
		"READ_ACCOUNTS":  {"Banka hesaplarını okuma", "Read bank accounts"},
		"READ_STATEMENT": {"Hesap hareketlerini okuma", "Read statements"},
		"TRANSFER":       {"Transfer gönderme", "Send transfers"},
		"READ_DISPUTE":   {"İtiraz sorgulama", "Query disputes"}, "LIST_DISPUTES": {"İtirazları listeleme", "List disputes"},
		"ACCEPT_DISPUTE": {"İtirazı kabul etme", "Accept disputes"}, "ANSWER_DISPUTE": {"İtiraza kanıt gönderme", "Submit evidence"},
	},
	"GatewayConfigType": {
		"TEXT": {"Metin", "Text"}, "SECRET": {"Gizli metin", "Secret"}, "URL": {"Adres", "URL"},
		"INT": {"Tam sayı", "Whole number"}, "BOOL": {"Evet/hayır", "Yes/no"}, "CHOICE": {"Seçenek", "Choice"},
		"LIST": {"Liste", "List"}, "DECIMAL": {"Ondalık sayı", "Decimal number"},
	},
	"GatewayEnvironment": {
		"SANDBOX": {"Deneme ortamı", "Sandbox"}, "PRODUCTION": {"Gerçek ortam", "Production"},
	},
	"GatewayKind": {
		"CARD": {"Kart", "Card"}, "BANK": {"Banka", "Bank"}, "CRYPTO": {"Kripto", "Crypto"}, "WALLET": {"Cüzdan", "Wallet"},
		"ACCOUNT": {"E-IBAN bankası", "E-IBAN bank"},
	},
	"GatewayMaturity": {
		"DRAFT": {"Taslak", "Draft"}, "EXPERIMENTAL": {"Deneysel", "Experimental"}, "BETA": {"Beta", "Beta"}, "STABLE": {"Kararlı", "Stable"},
	},
	"GatewayNotificationStatus": {
		"WAITING": {"Bekliyor", "Waiting"}, "DONE": {"İşlendi", "Processed"}, "UNKNOWN": {"Tanınmadı", "Not recognized"},
		"REJECTED": {"Reddedildi", "Rejected"},
	},
	"GatewayStep": {
		"REDIRECT": {"Ağ geçidine yönlendirme", "Redirect"}, "FORM": {"Ağ geçidine form", "Form"},
		"HTML": {"Ağ geçidi sayfası", "Hosted page"}, "PAY": {"Elle ödeme", "Manual payment"}, "WAIT": {"Bekleme", "Wait"},
		"DONE": {"Tamam", "Done"},
	},
	"EpochState": {"LIVE": {"Çalışıyor", "Live"}, "FROZEN": {"Durduruldu", "Frozen"}},
	"FreezeCause": {
		"RESTORED": {"Yedek geri yüklendi", "A backup was restored"}, "BEHIND": {"Veri tabanı eski bir durumda", "The database is an earlier state"},
		"COPIED": {"Veri tabanı başka bir sunucuda", "The database is on another server"},
	},
	"RemainKind": {
		"SETTINGS_ARE_OLDER": {"Ayarlar yedekteki gibi", "Settings are as in the backup"},
		"PAID_BY_HAND":       {"Ödenmiş olabilecek çekim", "A withdrawal that may have been paid"},
		"DECIDED_BY_HAND":    {"Sonuçlandırılmış olabilecek yatırma", "A deposit that may have been decided"},
		"NOT_ANSWERED":       {"Ağ geçidi yanıt vermedi", "The gateway has not answered"},
		"UNKNOWN_PAYMENT":    {"Ağ geçidinde olup burada olmayan ödeme", "A payment at the gateway that is not here"},
		"NOT_LISTED":         {"Yedekten sonraki ödemeler listelenemiyor", "Payments after the backup that nobody can list"},
		"STATEMENT_NOT_READ": {"Hesap özeti okunamadı", "The bank statement could not be read"},
	},
	"RemainMissing": {
		"DEPOSITS": {"Yatırmalar", "Deposits"}, "PAYOUTS": {"Ödeme çıkışları ve iadeler", "Payouts and refunds"}, "DISPUTES": {"İtirazlar", "Disputes"},
		"CORRECTIONS": {"Yedekten sonra yapılan cüzdan ve tutar düzeltmeleri ile mektupla bildirilen itirazlar", "Corrections of wallets and amounts that were made after the backup, and disputes that a letter told of"},
		"BY_HAND":     {"Yedekten sonra oluşturulup elle sonuçlandırılan çekimler ve yatırmalar", "Withdrawals and deposits that were made after the backup and settled by hand"},
	},
	"RemainGap": {
		"NO_LIST":    {"Ağ geçidi ödeme listesi vermiyor", "The gateway lists no payments"},
		"UNFINISHED": {"Liste okunabilecekten uzun; okunan kısım karşılaştırıldı", "The list is longer than is read; what was read was compared"},
		"NO_ANSWER":  {"Liste okunamadı", "The list could not be read"},
		"NOT_OPENED": {"Ağ geçidi hesabı açılamıyor", "The gateway account cannot be opened"},
	},
	"GatewayDepositState": {
		"WAITING": {"Bekliyor", "Waiting"}, "PROCESSING": {"İşleniyor", "Processing"}, "AUTHORIZED": {"Ön onaylı", "Authorized"},
		"REVIEW": {"Ödendi, ağ geçidi inceliyor", "Paid, under the gateway's review"}, "PAID": {"Ödendi", "Paid"}, "PART_PAID": {"Eksik ödendi", "Partly paid"},
		"OVER_PAID": {"Fazla ödendi", "Overpaid"}, "FAILED": {"Başarısız", "Failed"}, "CANCELED": {"İptal edildi", "Canceled"},
		"EXPIRED": {"Süresi doldu", "Expired"}, "REFUNDING": {"İade ediliyor", "Being refunded"}, "REFUNDED": {"İade edildi", "Refunded"},
		"PART_REFUNDED": {"Kısmen iade edildi", "Partly refunded"}, "DISPUTED": {"İtiraz edildi", "Disputed"}, "UNKNOWN": {"Bilinmiyor", "Unknown"},
	},
	"GuardedAction": {
		"WITHDRAWAL": {"Çekim ödeme", "Paying withdrawals"},
		"COMPLETION": {"Sonuçlanmış işlemi tamamlama", "Completing ended payments"}, "REFUND": {"İade", "Refunds"},
		"IBAN":         {"IBAN hesapları ve cüzdanlar", "IBAN accounts and wallets"},
		"CALLBACK_URL": {"Bildirim adresleri", "Callback URLs"}, "LIMITS": {"Limitler", "Limits"},
		"KEYS": {"Anahtarlar ve imzalama", "Keys and signing"}, "RULES": {"Onay kuralları", "Approval rules"},
		"STAFF": {"Personel", "Staff"}, "WALLET_ADJUSTMENT": {"Cüzdan düzeltmeleri", "Wallet adjustments"},
		"CREDIT":     {"Elle onaylanan yatırmalar", "Manual credits"},
		"CORRECTION": {"Onaylanan tutarı düzeltme", "Corrections of credits"}, "ROUTING": {"Yönlendirme", "Routing"}, "THAW": {"Geri yükleme sonrası devam etme", "Resuming after a restore"},
	},
	"IbanAccountKind": {
		"MANUAL": {"Manuel", "Manual"}, "EIBAN": {"E-IBAN", "E-IBAN"},
	},
	"JobKind": {
		"RESEND": {"Bildirimleri yeniden gönderme", "Resend callbacks"}, "EXPORT": {"Dışa aktarma", "Export"},
		"EXPORT_STATEMENT": {"Hesap özetini dışa aktarma", "Export a statement"}, "EXPORT_LEDGER": {"Defteri dışa aktarma", "Export a ledger"},
		"EXPORT_BANK_LINES": {"Banka satırlarını dışa aktarma", "Export bank lines"},
		"EXPORT_STATISTICS": {"İstatistiği dışa aktarma", "Export statistics"}, "EXPORT_AUDIT": {"Denetim kaydını dışa aktarma", "Export the audit log"},
	},
	"JobStatus": {
		"QUEUED": {"Sırada", "Queued"}, "RUNNING": {"Çalışıyor", "Running"}, "DONE": {"Bitti", "Done"},
		"FAILED": {"Başarısız", "Failed"}, "CANCELED": {"İptal edildi", "Canceled"},
	},
	"LedgerEntryKind": {
		"INCOMING": {"Gelen para", "Incoming money"}, "RESERVE": {"Ayrılan tutar", "Reserved"},
		"POST": {"Gönderilen transfer", "Transfer sent"}, "RELEASE": {"Serbest bırakılan tutar", "Released"},
		"RETURN": {"Geri dönen transfer", "Returned transfer"}, "OUTGOING": {"Giden para", "Outgoing money"},
		"OPENING": {"Açılış bakiyesi", "Opening balance"}, "ADJUSTMENT": {"Düzeltme", "Adjustment"},
	},
	"MatchEvidence": {
		"TRACKING_CODE": {"İşlem kodu", "Tracking code"}, "AMOUNT": {"Tutar", "Amount"}, "NAME": {"Ad", "Name"},
		"SIMILAR_NAME": {"Benzer ad", "Similar name"}, "KNOWN_IBAN": {"Bilinen IBAN", "Known IBAN"},
		"IN_TIME": {"Süresi içinde", "In time"}, "SAID_PAID": {"Müşteri ödediğini bildirdi", "Customer reported payment"},
	},
	"OpenWorkKind": {
		"DEPOSITS": {"Karar bekleyen yatırmalar", "Deposits to decide"}, "WITHDRAWALS": {"Bekleyen çekimler", "Waiting withdrawals"},
		"PAYOUTS": {"Bekleyen ağ geçidi çekimleri", "Waiting payouts"}, "BANK_LINES": {"Banka hareketleri", "Bank lines"},
		"DISCREPANCIES": {"Uyuşmazlıklar", "Discrepancies"}, "APPROVALS": {"Onay talepleri", "Approvals"},
		"DISPUTES":  {"Yanıt bekleyen itirazlar", "Disputes to respond to"},
		"CALLBACKS": {"Teslim edilemeyen bildirimler", "Failed callbacks"}, "DAYS": {"Açıklanmamış günler", "Unexplained days"},
		"GATEWAYS": {"Sorunlu ağ geçitleri", "Failing gateways"},
	},
	"OperationKind": {
		"DEPOSIT": {"Yatırma", "Deposit"}, "PAYOUT": {"Çekim", "Payout"}, "REFUND": {"İade", "Refund"},
	},
	"OperationPhase": {
		"PLANNED": {"Planlandı", "Planned"}, "CALLING": {"Gönderiliyor", "Being sent"},
		"OPEN": {"Ağ geçidinde", "At the gateway"}, "LATE": {"Sonuçlandı, izleniyor", "Ended, watched"},
		"CLOSED": {"Kapandı", "Closed"},
	},
	"Permission": {
		"TRANSACTIONS_READ":     {"İşlemleri görme", "See transactions"},
		"DEPOSITS_DECIDE":       {"Yatırmalara karar verme", "Decide deposits"},
		"WITHDRAWALS_DECIDE":    {"Çekimlere karar verme", "Decide withdrawals"},
		"PROVIDERS_EDIT":        {"Sağlayıcıları düzenleme", "Edit providers"},
		"PAYMENTS_REFUND":       {"İade yapma", "Refund payments"},
		"DISCREPANCIES_RESOLVE": {"Uyuşmazlıkları çözme", "Resolve discrepancies"},
		"GATEWAYS_READ":         {"Ağ geçitlerini görme", "See gateways"},
		"GATEWAYS_EDIT":         {"Ağ geçitlerini düzenleme", "Edit gateways"}, "WALLETS_READ": {"Cüzdanları görme", "See wallets"},
		"WALLETS_EDIT": {"Cüzdanları düzenleme", "Edit wallets"},
		"AUDIT_READ":   {"Denetim kaydını görme", "See the audit log"}, "QUEUES_READ": {"Kuyrukları görme", "See queues"},
		"PROVIDERS_READ": {"Sağlayıcıları görme", "See providers"}, "DEALERS_READ": {"Bayileri görme", "See dealers"},
		"DEALERS_EDIT":     {"Bayileri düzenleme", "Edit dealers"},
		"ACCOUNTS_EDIT":    {"IBAN hesaplarını düzenleme", "Edit IBAN accounts"},
		"KEYS_ROTATE":      {"Anahtar yenileme", "Rotate keys"},
		"CALLBACKS_EDIT":   {"Bildirim adreslerini düzenleme", "Edit callback URLs"},
		"CALLBACKS_TEST":   {"Deneme bildirimi gönderme", "Send test callbacks"},
		"BRANDS_EDIT":      {"Ödeme sayfasının görünümü", "Look of the payment page"},
		"CUSTOMERS_READ":   {"Müşterileri görme", "See customers"},
		"CUSTOMERS_BLOCK":  {"Müşteri engelleme", "Block customers"},
		"CALLBACKS_RESEND": {"Bildirimleri yeniden gönderme", "Resend callbacks"},
		"STAFF_READ":       {"Personeli görme", "See staff"}, "STAFF_EDIT": {"Personeli yönetme", "Manage staff"},
		"APPROVALS_READ":      {"Onay taleplerini görme", "See approvals"},
		"APPROVALS_DECIDE":    {"Onay taleplerine karar verme", "Decide approvals"},
		"APPROVALS_CONFIGURE": {"Onay kurallarını belirleme", "Configure approvals"},
		"STATISTICS_READ":     {"İstatistikleri görme", "See statistics"},
		"NOTES_WRITE":         {"Not yazma", "Write notes"},
		"WALLETS_ADJUST":      {"Cüzdan düzeltme", "Adjust wallets"},
	},
	"ReconciliationStatus": {
		"AGREED": {"Mutabık", "Agreed"}, "OPEN": {"Açıklanmamış fark", "Open differences"},
		"EXPLAINED": {"Farklar açıklandı", "Explained"},
	},
	"Resolution": {
		"ACCEPT": {"Kabul et", "Accept"}, "WRITE_OFF": {"Olduğu gibi kapat", "Write off"},
	},
	"Role": {
		"ADMIN": {"Yönetici", "Admin"}, "OPERATOR": {"Operatör", "Operator"}, "FINANCE": {"Finans", "Finance"},
		"SUPPORT": {"Destek", "Support"}, "AUDITOR": {"Denetçi", "Auditor"}, "VIEWER": {"İzleyici", "Viewer"},
		"DEALER": {"Bayi personeli", "Dealer staff"}, "DEALER_MANAGER": {"Bayi yöneticisi", "Dealer manager"},
		"PROVIDER": {"Sağlayıcı personeli", "Provider staff"}, "PROVIDER_MANAGER": {"Sağlayıcı yöneticisi", "Provider manager"},
	},
	"SavedViewList": {
		"TRANSACTIONS": {"İşlemler", "Transactions"}, "DESK_WITHDRAWALS": {"Çekim masası", "Withdrawal desk"},
		"BANK_LINES": {"Banka hareketleri", "Bank lines"}, "DISCREPANCIES": {"Uyuşmazlıklar", "Discrepancies"},
		"DISPUTES":        {"Ödeme itirazları", "Disputes"},
		"RECONCILIATIONS": {"Mutabakatlar", "Reconciliations"}, "APPROVALS": {"Onay talepleri", "Approvals"},
		"JOBS": {"Toplu işler", "Jobs"}, "GATEWAY_NOTIFICATIONS": {"Ağ geçidi bildirimleri", "Gateway notifications"},
		"CALLBACKS":         {"Bildirimler", "Callbacks"},
		"BLOCKED_CUSTOMERS": {"Engelli müşteriler", "Blocked customers"}, "PROVIDERS": {"Sağlayıcılar", "Providers"},
		"DEALERS": {"Bayiler", "Dealers"}, "STAFF": {"Personel", "Staff"}, "AUDIT_LOG": {"Denetim kaydı", "Audit log"},
		"STATISTICS": {"İstatistikler", "Statistics"}, "WALLETS": {"Cüzdanlar", "Wallets"}, "CUSTOMERS": {"Müşteriler", "Customers"},
	},
	"SavedViewSharing": {
		"PRIVATE": {"Yalnızca ben", "Only me"}, "ROLE": {"Rolümdekiler", "My role"},
		"TENANT": {"Tüm ekip", "The whole team"},
	},
	"SignatureMode": {
		"ACCEPTED": {"İsteğe bağlı", "Accepted"}, "REQUIRED": {"Zorunlu", "Required"},
	},
	"SkipReason": {
		"WAITING": {"Zaten gönderiliyor", "Already under way"}, "REFUNDED": {"Sonradan iade edildi", "Refunded since"},
		"OTHER_STATE": {"Başka durumda", "In another status"},
	},
	"StatisticsDimension": {
		"METHOD": {"Yöntem", "Method"}, "PROVIDER": {"Sağlayıcı", "Provider"}, "SITE": {"Site", "Site"},
		"DEALER": {"Bayi", "Dealer"}, "GATEWAY": {"Ağ geçidi", "Gateway"}, "STATUS": {"Durum", "Status"},
	},
	"StatisticsInterval": {
		"HOUR": {"Saat", "Hour"}, "DAY": {"Gün", "Day"}, "MONTH": {"Ay", "Month"},
	},
	"Theme": {
		"SYSTEM": {"Sistem", "System"}, "LIGHT": {"Açık", "Light"}, "DARK": {"Koyu", "Dark"},
	},
	"TransactionCommand": {
		"CREATE": {"Oluşturuldu", "Created"}, "OFFER": {"Hesap gösterildi", "Account shown"},
		"CLAIM_PAID": {"Müşteri ödediğini bildirdi", "Customer reported payment"}, "APPROVE": {"Onaylandı", "Approved"},
		"REJECT": {"Reddedildi", "Rejected"}, "CANCEL": {"İptal edildi", "Canceled"}, "EXPIRE": {"Süresi doldu", "Expired"},
		"TAKE": {"Üstlenildi", "Claimed"}, "RELEASE": {"Bırakıldı", "Released"}, "COMPLETE": {"Tamamlandı", "Completed"},
		"FAIL": {"Başarısız oldu", "Failed"}, "BEGIN": {"Ağ geçidine yönlendirildi", "Handed to a gateway"},
		"GIVE_UP":   {"Ağ geçidinde ödenmedi", "Not paid at the gateway"},
		"SEE_MONEY": {"Ağ geçidi parayı gördü", "Gateway saw the money"},
		"SUCCEED":   {"Ağ geçidi doğruladı", "Confirmed by the gateway"},
		"SEND":      {"Ödenmek üzere gönderildi", "Sent for payout"}, "REFUND": {"Tamamı iade edildi", "Refunded in full"},
		"ACCEPT": {"Para kabul edildi", "Money accepted"}, "CORRECT": {"Tutar düzeltildi", "Amount corrected"},
		"DISPUTE":   {"Ödemeye itiraz edildi", "Payment disputed"},
		"GIVE_BACK": {"İade edildi", "Given back"}, "WRITE_OFF": {"Olduğu gibi kapatıldı", "Written off"},
		"LET_GO":          {"Gönderilmesine izin verildi", "Payout released"},
		"APPROVE_HELD":    {"Ağ geçidinde bekletilen para alındı", "Held money taken"},
		"DECLINE_HELD":    {"Ağ geçidinde bekletilen para reddedildi", "Held money declined"},
		"APPROVE_REQUEST": {"Talep onaylandı", "Request approved"},
		"REFUSE_REQUEST":  {"Talep reddedildi", "Request refused"},
	},
	"TransactionKind": {
		"DEPOSIT": {"Yatırma", "Deposit"}, "WITHDRAWAL": {"Çekim", "Withdrawal"}, "CARD": {"Kart ödemesi", "Card payment"},
		"PAYOUT": {"Ağ geçidi çekimi", "Gateway payout"}, "TRANSFER": {"Transfer", "Transfer"},
	},
	"TransactionMethod": {
		"MANUAL_DEPOSIT": {"Manuel yatırma", "Manual deposit"}, "MANUAL_WITHDRAWAL": {"Manuel çekim", "Manual withdrawal"},
		"EIBAN_DEPOSIT": {"E-IBAN yatırma", "E-IBAN deposit"}, "EIBAN_WITHDRAWAL": {"E-IBAN çekim", "E-IBAN withdrawal"},
		"CREDIT_CARD":                   {"Kredi kartı", "Credit card"},
		"THIRD_PARTY_BANK_DEPOSIT":      {"Ağ geçidi banka yatırması", "Gateway bank deposit"},
		"THIRD_PARTY_BANK_WITHDRAWAL":   {"Ağ geçidi banka çekimi", "Gateway bank withdrawal"},
		"THIRD_PARTY_CRYPTO_DEPOSIT":    {"Kripto yatırma", "Crypto deposit"},
		"THIRD_PARTY_CRYPTO_WITHDRAWAL": {"Kripto çekim", "Crypto withdrawal"},
		"THIRD_PARTY_WALLET_DEPOSIT":    {"Cüzdan yatırma", "Wallet deposit"},
		"THIRD_PARTY_WALLET_WITHDRAWAL": {"Cüzdan çekim", "Wallet withdrawal"},
		"EIBAN_TRANSFER":                {"E-IBAN transferi", "E-IBAN transfer"},
	},
	"TransactionSort": {
		"CREATED_DESC": {"En yeni önce", "Newest first"}, "CREATED_ASC": {"En eski önce", "Oldest first"},
		"UPDATED_DESC": {"Son değişen önce", "Last changed first"},
		"UPDATED_ASC":  {"En uzun süredir değişmeyen önce", "Longest unchanged first"},
		"AMOUNT_DESC":  {"En yüksek tutar önce", "Highest amount first"},
		"AMOUNT_ASC":   {"En düşük tutar önce", "Lowest amount first"},
	},
	"TransactionStatus": {
		"SHOWING": {"Ödeme bekleniyor", "Awaiting payment"}, "PENDING": {"Beklemede", "Pending"},
		"PROCESSING": {"İşleniyor", "Processing"}, "COMPLETED": {"Tamamlandı", "Completed"},
		"CANCELED": {"İptal edildi", "Canceled"}, "EXPIRED": {"Süresi doldu", "Expired"},
		"REJECTED": {"Reddedildi", "Rejected"}, "FAILED": {"Başarısız", "Failed"}, "REFUNDED": {"İade edildi", "Refunded"},
	},
	"RouteObstacle": {
		"OFF": {"Kapalı", "Switched off"}, "OTHER_KIND": {"Bu tür ödeme almıyor", "Does not take this kind of payment"},
		"NO_RULE": {"Hiçbir kural buraya göndermiyor", "No rule sends it there"},
		"TROUBLE": {"Sorunlu: sınanmalı", "In trouble: test it"}, "UNUSABLE": {"Ayarları geçersiz", "Its settings do not work"},
		"LIMITS":        {"Tutar sınırlarının dışında", "Beyond its amount limits"},
		"NOT_ANSWERING": {"Şu anda yanıt vermiyor", "Not answering now"},
	},
	"TestCallbackWarning": {
		"NOT_STATUS_200": {"Yalnızca HTTP 200 onay sayılır", "Only HTTP 200 acknowledges"},
	},
	"WorkKind": {
		"CALLBACKS": {"Bildirimler", "Callbacks"}, "EXPIRY": {"Süresi dolacak işlemler", "Payments to expire"},
		"OPERATIONS":    {"Ağ geçidi işlemleri", "Gateway operations"},
		"NOTIFICATIONS": {"Ağ geçidi bildirimleri", "Gateway notifications"},
		"STATEMENTS":    {"Banka hesap hareketleri", "Bank statements"},
	},
}
