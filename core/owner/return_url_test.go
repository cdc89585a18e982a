package owner_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/owner"
)

// TestAReturnURLLeadsWhereTheSiteAllowsAndNowhereElse tries what would make the payment page an open redirect.
func TestAReturnURLLeadsWhereTheSiteAllowsAndNowhereElse(t *testing.T) {
	t.Parallel()
	name, dealer := "Shop", int64(1)
	allowed := []string{"https://Shop.example/", "https://pay.shop.example:8443", "http://127.0.0.1:3000"}
	site, err := owner.SitePatch{Name: &name, DealerID: &dealer, ReturnsPatch: owner.ReturnsPatch{ReturnOrigins: &allowed}}.Apply(owner.Site{}, coretest.Evening, core.Form{})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"https://shop.example", "https://shop.example/", "https://SHOP.example/thanks?order=42#done", "https://shop.example:443/x",
		"https://pay.shop.example:8443/a", "http://127.0.0.1:3000/back",
	} {
		if !site.AllowsReturn(address) {
			t.Errorf("%q is refused", address)
		}
	}
	for _, address := range []string{
		"", "/", "//shop.example", "shop.example", "javascript:alert(1)", "data:text/html,x", "JAVASCRIPT://shop.example/%0aalert(1)",
		"http://shop.example/", "https://shop.example:8443/", "https://pay.shop.example/", "https://evil.example/?https://shop.example",
		"https://shop.example.evil.example/", "https://evilshop.example/", "https://sub.shop.example/", "https://shop.example./",
		"https://shop.example@evil.example/", "https://evil.example@shop.example/", "https://user:pw@shop.example/",
		"https://shop.example\\@evil.example/", "https:\\\\shop.example", "https:/shop.example", "https:///shop.example", "https:shop.example",
		"https://shop.example:/", "https://shop.example:443:80/", "https://shop.example:0/", "https://shop.example:99999/",
		"https://shop.example%2f.evil.example/", "https://shop.example%00.evil.example/", "https://ѕhop.example/", "https://shop。example/",
		"https://shop.example\n.evil.example", "https://shop.example/\tx", " https://shop.example/", "https://shop.example/\u202e", "https://shop.example/\x00",
		"https://[::1]/", "https://shop.example/" + strings.Repeat("a", 2000),
	} {
		if site.AllowsReturn(address) {
			t.Errorf("%q is allowed", address)
		}
	}
	if (owner.Site{}).AllowsReturn("https://shop.example/") {
		t.Error("a site without a list allows an address")
	}
	for _, origin := range []string{
		"shop.example", "https://shop.example/path", "https://*.example", "https://u@shop.example", "ftp://shop.example", "https://", "https://shop.example?x",
		"https://şop.example", "https://shop.example#x", "javascript:alert(1)",
	} {
		list := []string{origin}
		if _, err := (owner.SitePatch{ReturnsPatch: owner.ReturnsPatch{ReturnOrigins: &list}}).Apply(site, coretest.Evening, core.Form{}); coretest.FailedField(t, err) != "field.origin" {
			t.Errorf("%q is taken into the list: %v", origin, err)
		}
	}
	many := make([]string, 21)
	for i := range many {
		many[i] = "https://shop.example"
	}
	if _, err := (owner.SitePatch{ReturnsPatch: owner.ReturnsPatch{ReturnOrigins: &many}}).Apply(site, coretest.Evening, core.Form{}); err == nil {
		t.Error("a list of 21 is taken")
	}
}
