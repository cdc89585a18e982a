package invite

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core/lang"
)

// sentence returns one in a language.
func sentence(t lang.Tag, key string) (string, error) {
	s, ok := sentences[key]
	if !ok {
		return "", fmt.Errorf("no sentence for %q", key)
	}
	if t == lang.EN {
		return s.en, nil
	}
	return s.tr, nil
}

// spoken are the keys of the sentences that the script says.
func spoken() []string {
	var keys []string
	for key, s := range sentences {
		if s.isSpoken {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// sentences is everything that the page says, by key.
var sentences = map[string]struct {
	tr, en   string
	isSpoken bool // by the script alone
}{
	"title":    {tr: "Davet · Vezne", en: "Invitation · Vezne"},
	"switch":   {tr: "English", en: "Türkçe"}, // each in the language that it leads to
	"noscript": {tr: "Bu sayfa JavaScript olmadan çalışmaz. Lütfen tarayıcınızda açın.", en: "This page does not work without JavaScript. Please switch it on in your browser."},
	"copy":     {tr: "Kopyala", en: "Copy"},

	"missing.title": {tr: "Bağlantı eksik", en: "The link is incomplete"},
	"missing.lead":  {tr: "Bu sayfa, size gönderilen davet bağlantısıyla açılır. Bağlantının tamamını, # işaretinden sonrasıyla birlikte kopyalayıp yeniden deneyin.", en: "This page opens by the invitation's link that you were sent. Copy the whole link, with what follows the # sign, and try again."},

	"refused.title":   {tr: "Bu davet kullanılamıyor", en: "This invitation can't be used"},
	"refused.lead":    {tr: "Bunun nedeni şunlardan biridir:", en: "It is one of these:"},
	"refused.used":    {tr: "Davet zaten kabul edildi. Kabul eden sizseniz e-posta adresiniz ve parolanızla giriş yapın.", en: "It was accepted already. If that was you, sign in with your email address and your password."},
	"refused.lapsed":  {tr: "Süresi doldu: bir davet 72 saat geçerlidir. Sizi davet edenden yenisini isteyin.", en: "It has lapsed: an invitation is good for 72 hours. Ask whoever invited you for a new one."},
	"refused.revoked": {tr: "Geri alındı ya da yerine yenisi gönderildi. En son aldığınız bağlantıyı kullanın.", en: "It was taken back, or a newer one was sent. Use the last link that you were sent."},
	"refused.cut":     {tr: "Bağlantı eksik kopyalandı. Tamamını kopyalayıp yeniden deneyin.", en: "The link was not copied whole. Copy all of it and try again."},

	"accept.title":    {tr: "Vezne’ye hoş geldiniz", en: "Welcome to Vezne"},
	"accept.lead":     {tr: "Yönetim paneline davet edildiniz. Hesabınız için bir parola belirleyin.", en: "You were invited to the back office. Choose a password for your account."},
	"accept.password": {tr: "Parola", en: "Password"},
	"accept.hint":     {tr: "En az 10 karakter. Birkaç sözcükten oluşan uzun bir parola hem güçlüdür hem akılda kalır.", en: "At least 10 characters. A long one of several words is strong and easy to remember."},
	"accept.repeat":   {tr: "Parola, bir kez daha", en: "The password once more"},
	"accept.reveal":   {tr: "Parolayı göster", en: "Show the password"},
	"accept.go":       {tr: "Hesabı oluştur", en: "Create the account"},

	"offer.title":    {tr: "Hesabınız hazır", en: "Your account is ready"},
	"offer.demanded": {tr: "Göreviniz ikinci bir doğrulama adımı gerektiriyor. Onu kurmadan hiçbir şey göremezsiniz; şimdi kurun.", en: "Your role demands a second step of signing in. You see nothing before it is set up, so set it up now."},
	"offer.advised":  {tr: "İkinci bir doğrulama adımı, parolanız başkasının eline geçse de hesabınızı korur. Şimdi kurmanızı öneririz.", en: "A second step of signing in keeps your account safe even when somebody learns your password. We advise to set it up now."},
	"offer.app":      {tr: "Telefonunuzda bir doğrulama uygulaması gerekir; örneğin Google Authenticator, Microsoft Authenticator, Aegis ya da 1Password.", en: "You need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator, Aegis or 1Password."},
	"offer.go":       {tr: "Doğrulama uygulamasını kur", en: "Set up an authenticator app"},
	"offer.later":    {tr: "Şimdi değil", en: "Not now"},

	"again.title":    {tr: "Parolanızı yeniden girin", en: "Enter your password again"},
	"again.lead":     {tr: "Aradan on dakikadan fazla zaman geçti. Devam etmek için parolanızı bir kez daha girin.", en: "More than ten minutes have passed. Enter your password once more to go on."},
	"again.password": {tr: "Parola", en: "Password"},
	"again.go":       {tr: "Devam et", en: "Go on"},

	"factor.title":  {tr: "Doğrulama uygulamasını kurun", en: "Set up the authenticator app"},
	"factor.scan":   {tr: "Doğrulama uygulamasıyla bu kodu okutun ya da anahtarı elle girin.", en: "Scan this code with the authenticator app, or enter the key by hand."},
	"factor.secret": {tr: "Anahtar", en: "Key"},
	"factor.open":   {tr: "Bu cihazdaki uygulamada aç", en: "Open in the app on this device"},
	"factor.uri":    {tr: "Adresin tamamı (otpauth)", en: "The whole address (otpauth)"},
	"factor.type":   {tr: "Uygulamanın gösterdiği altı haneli kodu girin.", en: "Enter the six digits that the app shows."},
	"factor.code":   {tr: "Altı haneli kod", en: "Six digits"},
	"factor.go":     {tr: "Onayla", en: "Confirm"},

	"recovery.title": {tr: "Kurtarma kodlarınızı saklayın", en: "Keep your recovery codes"},
	"recovery.lead":  {tr: "Telefonunuza ulaşamazsanız bunlarla giriş yaparsınız. Her kod bir kez geçerlidir ve bir daha gösterilmez. Parola yöneticiniz gibi güvenli bir yerde saklayın.", en: "You sign in with these when you can't reach your phone. Each counts once, and they are not shown again. Keep them in a safe place, such as your password manager."},
	"recovery.copy":  {tr: "Kodları kopyala", en: "Copy the codes"},
	"recovery.go":    {tr: "Kodları sakladım", en: "I have kept the codes"},

	"ready.title":    {tr: "Her şey tamam", en: "All done"},
	"ready.lead":     {tr: "Bundan sonra şöyle giriş yaparsınız:", en: "From now on you sign in like this:"},
	"ready.password": {tr: "Davetin gönderildiği e-posta adresi ve az önce belirlediğiniz parola.", en: "The email address that you were invited by, and the password that you have just chosen."},
	"ready.code":     {tr: "Ardından doğrulama uygulamasının gösterdiği altı haneli kod.", en: "Then the six digits that the authenticator app shows."},
	"ready.without":  {tr: "İkinci bir doğrulama adımı kurulmadı; onu daha sonra da kurabilirsiniz.", en: "No second step was set up; you can do so later, too."},
	"ready.console":  {tr: "Konsola giriş yapın", en: "Sign in to the console"},
	"ready.where":    {tr: "Başka araçlar için bu kurulumun API adresi:", en: "For other tools, this installation's API is at"},
	"ready.graphiql": {tr: "Sorguları elle yazmak için GraphiQL’i açın", en: "Open GraphiQL to write queries by hand"},
	"ready.close":    {tr: "Bu sayfadaki oturum kapatıldı. Pencereyi kapatabilirsiniz.", en: "The session of this page has ended. You may close this window."},

	"copied":            {tr: "Kopyalandı", en: "Copied", isSpoken: true},
	"copy.failed":       {tr: "Kopyalanamadı. Metni seçip elle kopyalayın.", en: "Copying failed. Select the text and copy it by hand.", isSpoken: true},
	"busy":              {tr: "Bir saniye…", en: "One moment…", isSpoken: true},
	"problem.short":     {tr: "Parola en az 10 karakter olmalı.", en: "The password needs at least 10 characters.", isSpoken: true},
	"problem.differ":    {tr: "İki parola aynı değil.", en: "The two passwords differ.", isSpoken: true},
	"problem.digits":    {tr: "Kod altı rakamdan oluşur.", en: "The code has six digits.", isSpoken: true},
	"problem.BAD_CODE":  {tr: "Bu kod geçerli değil. Telefonunuzun saatinin doğru olduğundan emin olun ve uygulamanın gösterdiği sıradaki kodu girin.", en: "This code does not count. Make sure that your phone's clock is right, and enter the next code that the app shows.", isSpoken: true},
	"problem.BAD_LOGIN": {tr: "Parola yanlış.", en: "The password is wrong.", isSpoken: true},
	"problem.INVALID":   {tr: "Parola kabul edilmedi: en az 10 karakter olmalı ve çok uzun olmamalı.", en: "The password was not taken: it needs at least 10 characters, and not very many.", isSpoken: true},
	"problem.RATE_LIMITED": {
		tr: "Çok fazla deneme yapıldı. Birkaç dakika bekleyip yeniden deneyin.", en: "There were too many tries. Wait a few minutes and try again.", isSpoken: true,
	},
	"problem.UNAUTHENTICATED": {
		tr: "Oturum sona erdi. Hesabınız hazır: e-posta adresiniz ve parolanızla giriş yapın.", en: "The session has ended. Your account is ready: sign in with your email address and your password.", isSpoken: true,
	},
	"problem.network": {tr: "Sunucuya ulaşılamadı. Bağlantınızı kontrol edip yeniden deneyin.", en: "The server can't be reached. Check your connection and try again.", isSpoken: true},
	"problem.other":   {tr: "Bir sorun oluştu. Biraz sonra yeniden deneyin.", en: "Something went wrong. Try again in a while.", isSpoken: true},
}
