package crowd

import "strings"

// Names that made-up customers have, the commonest first. Owners are named after the last names.
var (
	firstNames = strings.Fields(`Mehmet Mustafa Ahmet Ali Hüseyin Fatma Ayşe Emine Hatice Zeynep Hasan İbrahim İsmail
		Osman Yusuf Murat Ömer Ramazan Halil Elif Meryem Şerife Zehra Sultan Hanife Merve Havva Özlem Yasemin Hülya Emre
		Süleyman Abdullah Mahmut Recep Salih Fatih Kadir Emin Hakan Hamza Kenan Burak Serkan Gökhan Yaşar Uğur Volkan
		Çağrı Işık Gül Sevgi Songül Aysel Dilek Gülşen Nurcan Esra Büşra Kübra Tuğba Ebru Derya Pınar Sibel Çiğdem
		Bahar Deniz Ece İrem Melis Beyza Sude Nehir Asya Defne Azra Ela Kerem Arda Kaan Efe Mert Berk Ozan Barış Tolga
		Onur Caner Umut Selim Cem Alper Levent Orhan Turgut Nihat Necati Rıza Şükrü Vedat Zafer`)
	LastNames = strings.Fields(`Yılmaz Kaya Demir Çelik Şahin Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan
		Çetin Kara Koç Kurt Özkan Şimşek Polat Korkmaz Özcan Çakır Erdoğan Güneş Aksoy Avcı Tekin Güler Turan Ünal
		Keskin Işık Yavuz Can Acar Şen Coşkun Tunç Aktaş Bulut Ateş Gündüz Duman Güven Toprak Taş Kaplan Bozkurt Tuna
		Sönmez Karaca Ekinci Uçar Sarı Uysal Sezer Başaran Durmaz Gül Akın Deniz Erol Ay Pehlivan Toker Altun Bayram
		Ceylan Çoban Dinç Eker Fidan Gök Hazar İnce Kalkan Laçin Mutlu Nazlı Oral Öner Peker Reis Soylu Şeker Tekeli Uzun
		Ülker Vural Yaman Zengin Albayrak Baran Candan Demirel Elmas Ferhat Gezer Han Ilgaz Jale Kırmızı`)
)
