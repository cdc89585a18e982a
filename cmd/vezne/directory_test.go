package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// credentials are issued ones, by their kind.
type credentials map[string]string

// issue runs a mutation that issues credentials, and keeps what is secret of them.
func (s staff) issue(t testing.TB, mutation, inputType string, input map[string]any) credentials {
	t.Helper()
	var data map[string]struct {
		Credentials []struct{ Credential, Value string }
	}
	query := fmt.Sprintf(`mutation($input: %s!) { %s(input: $input) { credentials { credential value } } }`, inputType, mutation)
	if err := s.ask(query, map[string]any{"input": input}, &data); err != nil {
		t.Fatalf("%s: %v", mutation, err)
	}
	made := credentials{}
	for _, c := range data[mutation].Credentials {
		made[c.Credential] = c.Value
		if c.Credential != "api_key" {
			shared.keepSecret("an issued "+c.Credential, c.Value)
		}
	}
	return made
}

// newcomer is a provider that staff have made, calling for its site.
func (s staff) newcomer(t testing.TB) caller {
	t.Helper()
	keys := s.issue(t, "createProvider", "CreateProviderInput", map[string]any{"name": "Newcomer"})
	var list struct {
		Providers struct{ Nodes []struct{ ID, Name string } }
	}
	if err := s.ask(`{ providers(name: "newcomer") { nodes { id name } } }`, nil, &list); err != nil || len(list.Providers.Nodes) != 1 {
		t.Fatalf("listed %+v (%v)", list, err)
	}
	var id int64
	if _, err := fmt.Sscan(list.Providers.Nodes[0].ID, &id); err != nil {
		t.Fatal(err)
	}
	site := s.issue(t, "createSite", "CreateSiteInput", map[string]any{"providerId": id, "dealerId": 1, "name": "newcomer.example"})
	return caller{
		base: s.base, site: siteKeys{Name: "newcomer.example", CredentialKey: site["credential_key"]},
		keys: providerKeys{
			ID: id, Name: "Newcomer", APIKey: keys["api_key"], SecretKey: keys["secret_key"],
			VerificationKey: keys["verification_key"], WebhookSecret: keys["webhook_secret"],
		},
	}
}

// deposits is what a deposit's creation is answered with.
func (c caller) deposits(t testing.TB) int {
	t.Helper()
	a, _, err := c.try("start-manual-deposit", order("10"), "")
	if err != nil {
		t.Fatal(err)
	}
	return a.status
}

// answers waits until each process answers with a status: what another one has changed takes effect within seconds.
func (c caller) answers(t testing.TB, all []*process, status int) {
	t.Helper()
	for _, p := range all {
		c.base = p.url
		eventually(t, func() error {
			if got := c.deposits(t); got != status {
				return fmt.Errorf("the answer is %d, want %d", got, status)
			}
			return nil
		})
	}
}

// TestAProviderIsMadeAndItsKeysRotate: with what staff are shown a deposit is created; of rotated keys the old and the new
// ones both work; callbacks are signed with the new ones; and when the provider is switched off it is refused.
func TestAProviderIsMadeAndItsKeysRotate(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		all := in.serveAll("VEZNE_RATE_LIMIT=off")
		admin := in.signIn(all[0], "admin")
		old := admin.newcomer(t)
		if got := old.deposits(t); got != http.StatusOK {
			t.Fatalf("with the issued keys the answer is %d", got)
		}
		old.answers(t, all, http.StatusOK)

		fresh := old
		rotate := func(mutation, kind string, id any) string {
			t.Helper()
			input := map[string]any{"id": id, "credential": kind, "graceHours": 1}
			return admin.issue(t, mutation, "RotateCredentialInput", input)[kind]
		}
		fresh.keys.SecretKey = rotate("rotateProviderCredential", "secret_key", fresh.keys.ID)
		fresh.keys.APIKey = rotate("rotateProviderCredential", "api_key", fresh.keys.ID)
		fresh.keys.WebhookSecret = rotate("rotateProviderCredential", "webhook_secret", fresh.keys.ID)
		fresh.site.CredentialKey = rotate("rotateSiteCredential", "credential_key", admin.siteOf(t, fresh.keys.ID))
		if a, b := fresh.deposits(t), old.deposits(t); a != http.StatusOK || b != http.StatusOK {
			t.Errorf("after the rotation the new keys are answered with %d and the old ones with %d", a, b)
		}
		fresh.answers(t, all, http.StatusOK)
		old.answers(t, all, http.StatusOK)
		admin.wantUsed(t, fresh.keys.ID, "secret_key", "api_key")

		to := newReceiver(t, fresh.keys, accept)
		admin.updateProvider(t, fresh.keys.ID, map[string]any{"callbackUrl": to.URL + "/in"})
		var tried struct {
			SendTestCallback struct {
				TrackingCode string
				IsAccepted   bool
				Error        *string
			}
		}
		err := admin.ask(`mutation($id: ID) { sendTestCallback(input: {providerId: $id, kind: deposit}) { trackingCode isAccepted error } }`,
			map[string]any{"id": fmt.Sprint(fresh.keys.ID)}, &tried)
		if err != nil || !tried.SendTestCallback.IsAccepted {
			t.Fatalf("the test callback: %+v (%v)", tried, err)
		}
		if l := to.next(t); l.TrackingCode != tried.SendTestCallback.TrackingCode || !strings.HasPrefix(l.TrackingCode, "MAN-TESTONLY") {
			t.Errorf("the test callback was about %s", l.TrackingCode)
		}
		paid := old.create(t, "start-manual-deposit", "10")
		admin.must(t, "approveDeposit", paid.TrackingCode)
		if l := to.next(t); l.TrackingCode != paid.TrackingCode { // the receiver has verified it with the new keys
			t.Errorf("a callback of %s came, want %s", l.TrackingCode, paid.TrackingCode)
		}

		admin.blocks(t, fresh, "blockCustomer", `, reason: "e2e"`)
		fresh.answers(t, all, http.StatusForbidden)
		admin.blocks(t, fresh, "unblockCustomer", "")
		fresh.answers(t, all, http.StatusOK)

		admin.updateProvider(t, fresh.keys.ID, map[string]any{"isActive": false})
		if a, b := fresh.deposits(t), old.deposits(t); a != http.StatusForbidden || b != http.StatusForbidden {
			t.Errorf("of a provider that is off the new keys are answered with %d and the old ones with %d", a, b)
		}
		fresh.answers(t, all, http.StatusForbidden)
		for _, p := range all {
			p.stop(t)
		}
	})
}

// siteOf is the id of a provider's only site.
func (s staff) siteOf(t testing.TB, provider int64) string {
	t.Helper()
	var data struct {
		Provider struct{ Sites []struct{ ID string } }
	}
	err := s.ask(`query($id: ID!) { provider(id: $id) { sites { id } } }`, map[string]any{"id": fmt.Sprint(provider)}, &data)
	if err != nil || len(data.Provider.Sites) != 1 {
		t.Fatalf("the provider has %+v (%v)", data, err)
	}
	return data.Provider.Sites[0].ID
}

// wantUsed waits until staff see that old keys are still used.
func (s staff) wantUsed(t testing.TB, provider int64, kinds ...string) {
	t.Helper()
	eventually(t, func() error {
		var data struct {
			Provider struct {
				OldCredentials []struct {
					Credential  string
					FirstUsedAt *string
				}
			}
		}
		err := s.ask(`query($id: ID!) { provider(id: $id) { oldCredentials { credential firstUsedAt } } }`,
			map[string]any{"id": fmt.Sprint(provider)}, &data)
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		for _, c := range data.Provider.OldCredentials {
			used[c.Credential] = c.FirstUsedAt != nil
		}
		for _, kind := range kinds {
			if !used[kind] {
				return fmt.Errorf("of the old keys these are noted: %v", used)
			}
		}
		return nil
	})
}

// blocks blocks or unblocks the customer of every order.
func (s staff) blocks(t testing.TB, c caller, mutation, more string) {
	t.Helper()
	err := s.ask(fmt.Sprintf(`mutation($id: ID!) { %s(providerId: $id, userId: "u-1001"%s) { customer { userId } } }`, mutation, more),
		map[string]any{"id": fmt.Sprint(c.keys.ID)}, &struct{}{})
	if err != nil {
		t.Fatalf("%s: %v", mutation, err)
	}
}
