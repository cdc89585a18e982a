package lang

// Action returns what people call an action of the audit log, which is named as the staff's mutation or the operator's command is. One
// that has no other name is called by that.
func Action(t Tag, name string) string {
	word, ok := actions[name]
	switch {
	case !ok:
		return name
	case t == EN:
		return word.en
	default:
		return word.tr
	}
}

// actions by name.
var actions = map[string]sentence{
	// Payments
	"approveDeposit": {"Yatırmayı onaylama", "Approve a deposit"}, "rejectDeposit": {"Yatırmayı reddetme", "Decline a deposit"},
	"claimWithdrawal": {"Çekimi üstlenme", "Claim a withdrawal"}, "releaseWithdrawal": {"Çekimi bırakma", "Release a withdrawal"},
	"completeWithdrawal": {"Çekimi ödendi sayma", "Complete a withdrawal"}, "rejectWithdrawal": {"Çekimi reddetme", "Decline a withdrawal"},
	"failWithdrawal": {"Çekimi başarısız sayma", "Fail a withdrawal"}, "cancelWithdrawal": {"Çekimi iptal etme", "Cancel a withdrawal"},
	"correctCredit": {"Onaylanan tutarı düzeltme", "Correct a credit"}, "addNote": {"Not veya dekont ekleme", "Add a note or receipt"},
	// Gateways and discrepancies
	"approvePayout": {"Gönderimi onaylama", "Approve a payout"}, "rejectPayout": {"Gönderimi reddetme", "Decline a payout"},
	"cancelPayout": {"Gönderimi iptal etme", "Cancel a payout"}, "failPayout": {"Gönderimi başarısız sayma", "Fail a payout"},
	"confirmPayout":     {"Gönderimi ağ geçidinde doğrulama", "Confirm a payout at the gateway"},
	"refundTransaction": {"İade etme", "Refund a payment"}, "cancelRefund": {"İadeyi iptal etme", "Cancel a refund"},
	"approveHeldDeposit": {"Bekletilen parayı kabul etme", "Take held money"},
	"declineHeldDeposit": {"Bekletilen parayı bırakma", "Let held money go"},
	"resolveDiscrepancy": {"Uyuşmazlığı çözme", "Resolve a discrepancy"},
	"refundDiscrepancy":  {"Uyuşmazlığın parasını geri gönderme", "Refund a discrepancy"},
	"acceptDispute":      {"İtirazı kabul etme", "Accept a dispute"}, "recordDispute": {"İtiraz kaydetme", "Record a dispute"},
	"submitDisputeEvidence": {"İtiraza kanıt gönderme", "Submit evidence against a dispute"},
	"testGatewayAccount":    {"Ağ geçidini sınama", "Test a gateway"}, "suspendGateway": {"Ağ geçidini durdurma", "Suspend a gateway"},
	"createGatewayAccount": {"Ağ geçidi ekleme", "Add a gateway"}, "updateGatewayAccount": {"Ağ geçidini değiştirme", "Change a gateway"},
	"saveRouteRule": {"Yönlendirme kuralını kaydetme", "Save a route"},
	// Wallets
	"creditBankLine": {"Banka satırını eşleştirme", "Match a bank line"}, "setAsideBankLine": {"Banka satırını ayırma", "Set a bank line aside"},
	"bringBackBankLine": {"Banka satırını geri alma", "Bring a bank line back"}, "reconcileDay": {"Günü karşılaştırma", "Reconcile a day"},
	"explainDifference": {"Farkı açıklama", "Explain a difference"}, "adjustDifference": {"Defteri düzeltme", "Adjust a difference"},
	"freeze": {"Durdurma (geri yükleme)", "Freeze after a restore"}, "thaw": {"Yeniden başlatma (geri yükleme)", "Resume after a restore"},
	"askAfterRestore": {"Geri yükleme sonrası sorgulama", "Ask after a restore"}, "acknowledgeRemains": {"Kalanları onaylama", "Acknowledge what remains"},
	"createWallet": {"Cüzdan ekleme", "Add a wallet"}, "setWalletActive": {"Cüzdanı açma veya kapatma", "Switch a wallet on or off"},
	// Owners and customers
	"createProvider": {"Sağlayıcı ekleme", "Add a provider"}, "updateProvider": {"Sağlayıcıyı değiştirme", "Change a provider"},
	"createDealer": {"Bayi ekleme", "Add a dealer"}, "updateDealer": {"Bayiyi değiştirme", "Change a dealer"},
	"createSite": {"Site ekleme", "Add a site"}, "updateSite": {"Siteyi değiştirme", "Change a site"},
	"createSiteToken": {"Site anahtarı ekleme", "Add a site token"}, "updateSiteToken": {"Site anahtarını değiştirme", "Change a site token"},
	"createAccount": {"IBAN ekleme", "Add an IBAN"}, "updateAccount": {"IBAN'ı değiştirme", "Change an IBAN"},
	"updateSiteBrand":           {"Ödeme sayfasını değiştirme", "Change a payment page"},
	"updateCallbackUrls":        {"Bildirim adreslerini değiştirme", "Change callback URLs"},
	"rotateProviderCredential":  {"Sağlayıcı anahtarını yenileme", "Renew a provider's key"},
	"rotateDealerCredential":    {"Bayi anahtarını yenileme", "Renew a dealer's key"},
	"rotateSiteCredential":      {"Sitenin anahtarını yenileme", "Renew a site's key"},
	"rotateSiteTokenCredential": {"Site anahtarını yenileme", "Renew a site token"},
	"sendTestCallback":          {"Deneme bildirimi gönderme", "Send a test callback"},
	"blockCustomer":             {"Müşteriyi engelleme", "Block a customer"}, "unblockCustomer": {"Müşterinin engelini kaldırma", "Unblock a customer"},
	"forgetCustomer": {"Müşteriyi unutma", "Forget a customer"},
	// Work and files
	"resendCallback": {"Bildirimi yeniden gönderme", "Send a callback again"}, "resendCallbacks": {"Bildirimleri yeniden gönderme", "Send callbacks again"},
	"startExport": {"Dışa aktarma", "Export"}, "exportList": {"Listeyi dışa aktarma", "Export a list"},
	"exportDownload": {"Dosya indirme", "Download a file"}, "cancelJob": {"Toplu işi iptal etme", "Cancel a job"},
	"createSavedView": {"Görünüm kaydetme", "Save a view"}, "updateSavedView": {"Görünümü değiştirme", "Change a view"},
	"removeSavedView": {"Görünümü silme", "Remove a view"},
	"adoptAuditChain": {"Denetim zincirini benimseme", "Adopt the audit chain"},
	"dropOldEntries":  {"Saklama süresi dolan denetim kayıtlarını silme", "Drop audit entries kept long enough"},
	// Approvals
	"requestApproval": {"Onay isteme", "Ask for approval"}, "approveRequest": {"Talebi onaylama", "Approve a request"},
	"refuseRequest": {"Talebi reddetme", "Refuse a request"}, "withdrawRequest": {"Talebi geri çekme", "Withdraw a request"},
	"lapseRequest": {"Talebin süresinin dolması", "A request lapses"}, "endRequest": {"Talebin geçersiz kalması", "A request becomes obsolete"},
	"takeApprovalResult": {"Onaylanan talebin sonucunu alma", "Take an approved request's result"},
	"setApprovalRule":    {"Onay kuralını değiştirme", "Change an approval rule"},
	// Staff
	"login": {"Oturum açma", "Sign in"}, "logout": {"Oturumu kapatma", "Sign out"}, "stepUp": {"Kimliği yeniden doğrulama", "Confirm it is you"},
	"createStaff": {"Personel ekleme", "Add staff"}, "inviteStaff": {"Personel davet etme", "Invite staff"},
	"acceptInvitation": {"Daveti kabul etme", "Accept an invitation"}, "revokeInvitation": {"Daveti geri alma", "Revoke an invitation"},
	"updateStaff": {"Personeli değiştirme", "Change staff"}, "unlockStaff": {"Personelin kilidini açma", "Unlock staff"},
	"resetStaffFactors":   {"İkinci doğrulamayı sıfırlama", "Reset second factors"},
	"revokeStaffSessions": {"Personelin oturumlarını kapatma", "End staff sessions"},
	"revokeSession":       {"Oturum kapatma", "End a session"}, "revokeOtherSessions": {"Diğer oturumları kapatma", "End other sessions"},
	"changePassword": {"Parola değiştirme", "Change the password"}, "updateMyProfile": {"Profili değiştirme", "Change the profile"},
	"beginTotp": {"Doğrulama uygulaması ekleme", "Add an authenticator"}, "confirmTotp": {"Doğrulama uygulamasını onaylama", "Confirm an authenticator"},
	"removeTotp": {"Doğrulama uygulamasını kaldırma", "Remove an authenticator"}, "newRecoveryCodes": {"Kurtarma kodlarını yenileme", "New recovery codes"},
	"finishPasskey": {"Geçiş anahtarı ekleme", "Add a passkey"}, "renamePasskey": {"Geçiş anahtarını adlandırma", "Rename a passkey"},
	"removePasskey": {"Geçiş anahtarını silme", "Remove a passkey"},
}
