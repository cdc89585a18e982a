package backoffice_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// credentials are issued ones, by their kind.
type credentials map[string]string

// issue runs a mutation that issues credentials, and keeps what is secret of them.
func issue(t testing.TB, s harness.Staff, mutation, inputType string, input map[string]any) credentials {
	t.Helper()
	var data map[string]struct {
		Credentials []struct{ Credential, Value string }
	}
	query := fmt.Sprintf(`mutation($input: %s!) { %s(input: $input) { credentials { credential value } } }`, inputType, mutation)
	if err := s.Ask(query, map[string]any{"input": input}, &data); err != nil {
		t.Fatalf("%s: %v", mutation, err)
	}
	made := credentials{}
	for _, c := range data[mutation].Credentials {
		made[c.Credential] = c.Value
		if c.Credential != "API_KEY" {
			harness.KeepSecret("an issued "+c.Credential, c.Value)
		}
	}
	return made
}

// newcomer is a provider that staff have made, calling for its site.
func newcomer(t testing.TB, s harness.Staff) harness.Caller {
	t.Helper()
	keys := issue(t, s, "createProvider", "CreateProviderInput", map[string]any{"name": "Newcomer"})
	var list struct {
		Providers struct{ Nodes []struct{ ID, Name string } }
	}
	if err := s.Ask(`{ providers(filter: {name: "newcomer"}) { nodes { id name } } }`, nil, &list); err != nil || len(list.Providers.Nodes) != 1 {
		t.Fatalf("listed %+v (%v)", list, err)
	}
	var id int64
	if _, err := fmt.Sscan(list.Providers.Nodes[0].ID, &id); err != nil {
		t.Fatal(err)
	}
	site := issue(t, s, "createSite", "CreateSiteInput", map[string]any{"providerId": id, "dealerId": 1, "name": "newcomer.example"})
	return harness.Caller{
		Base: s.Base, Site: harness.SiteKeys{Name: "newcomer.example", CredentialKey: site["CREDENTIAL_KEY"]},
		Keys: harness.ProviderKeys{
			ID: id, Name: "Newcomer", APIKey: keys["API_KEY"], SecretKey: keys["SECRET_KEY"],
			VerificationKey: keys["VERIFICATION_KEY"], WebhookSecret: keys["WEBHOOK_SECRET"],
		},
	}
}

// deposits is what a deposit's creation is answered with.
func deposits(t testing.TB, c harness.Caller) int {
	t.Helper()
	a, _, err := c.Try("start-manual-deposit", harness.Order("10"), "")
	if err != nil {
		t.Fatal(err)
	}
	return a.Status
}

// answers waits until each process answers with a status: what another one has changed takes effect within seconds.
func answersTo(t testing.TB, c harness.Caller, all []*harness.Process, status int) {
	t.Helper()
	for _, p := range all {
		c.Base = p.URL
		harness.Eventually(t, func() error {
			if got := deposits(t, c); got != status {
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
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		all := in.ServeAll("VEZNE_RATE_LIMIT=off")
		admin := in.SignIn(all[0], "admin")
		old := newcomer(t, admin)
		if got := deposits(t, old); got != http.StatusOK {
			t.Fatalf("with the issued keys the answer is %d", got)
		}
		answersTo(t, old, all, http.StatusOK)

		fresh := old
		rotate := func(mutation, kind string, id any) string {
			t.Helper()
			input := map[string]any{"id": id, "credential": kind, "graceHours": 1}
			return issue(t, admin, mutation, "RotateCredentialInput", input)[kind]
		}
		fresh.Keys.SecretKey = rotate("rotateProviderCredential", "SECRET_KEY", fresh.Keys.ID)
		fresh.Keys.APIKey = rotate("rotateProviderCredential", "API_KEY", fresh.Keys.ID)
		fresh.Keys.WebhookSecret = rotate("rotateProviderCredential", "WEBHOOK_SECRET", fresh.Keys.ID)
		fresh.Site.CredentialKey = rotate("rotateSiteCredential", "CREDENTIAL_KEY", siteOf(t, admin, fresh.Keys.ID))
		if a, b := deposits(t, fresh), deposits(t, old); a != http.StatusOK || b != http.StatusOK {
			t.Errorf("after the rotation the new keys are answered with %d and the old ones with %d", a, b)
		}
		answersTo(t, fresh, all, http.StatusOK)
		answersTo(t, old, all, http.StatusOK)
		wantUsed(t, admin, fresh.Keys.ID, "SECRET_KEY", "API_KEY")

		to := harness.NewReceiver(t, fresh.Keys, harness.Accept)
		admin.UpdateProvider(t, fresh.Keys.ID, map[string]any{"callbackUrl": to.URL + "/in"})
		var tried struct {
			SendTestCallback struct {
				TrackingCode string
				IsAccepted   bool
				Error        *string
			}
		}
		err := admin.Ask(`mutation($id: ID) { sendTestCallback(input: {providerId: $id, kind: DEPOSIT}) { trackingCode isAccepted error } }`,
			map[string]any{"id": fmt.Sprint(fresh.Keys.ID)}, &tried)
		if err != nil || !tried.SendTestCallback.IsAccepted {
			t.Fatalf("the test callback: %+v (%v)", tried, err)
		}
		if l := to.Next(t); l.TrackingCode != tried.SendTestCallback.TrackingCode || !strings.HasPrefix(l.TrackingCode, "MAN-TESTONLY") {
			t.Errorf("the test callback was about %s", l.TrackingCode)
		}
		paid := old.Create(t, "start-manual-deposit", "10")
		admin.Must(t, "approveDeposit", paid.TrackingCode)
		if l := to.Next(t); l.TrackingCode != paid.TrackingCode { // the receiver has verified it with the new keys
			t.Errorf("a callback of %s came, want %s", l.TrackingCode, paid.TrackingCode)
		}

		blocks(t, admin, fresh, "blockCustomer", `, reason: "e2e"`)
		answersTo(t, fresh, all, http.StatusForbidden)
		blocks(t, admin, fresh, "unblockCustomer", "")
		answersTo(t, fresh, all, http.StatusOK)

		admin.UpdateProvider(t, fresh.Keys.ID, map[string]any{"isActive": false})
		if a, b := deposits(t, fresh), deposits(t, old); a != http.StatusForbidden || b != http.StatusForbidden {
			t.Errorf("of a provider that is off the new keys are answered with %d and the old ones with %d", a, b)
		}
		answersTo(t, fresh, all, http.StatusForbidden)
		for _, p := range all {
			p.Stop(t)
		}
	})
}

// siteOf is the id of a provider's only site.
func siteOf(t testing.TB, s harness.Staff, provider int64) string {
	t.Helper()
	var data struct {
		Provider struct{ Sites []struct{ ID string } }
	}
	err := s.Ask(`query($id: ID!) { provider(id: $id) { sites { id } } }`, map[string]any{"id": fmt.Sprint(provider)}, &data)
	if err != nil || len(data.Provider.Sites) != 1 {
		t.Fatalf("the provider has %+v (%v)", data, err)
	}
	return data.Provider.Sites[0].ID
}

// wantUsed waits until staff see that old keys are still used.
func wantUsed(t testing.TB, s harness.Staff, provider int64, kinds ...string) {
	t.Helper()
	harness.Eventually(t, func() error {
		var data struct {
			Provider struct {
				OldCredentials []struct {
					Credential  string
					FirstUsedAt *string
				}
			}
		}
		err := s.Ask(`query($id: ID!) { provider(id: $id) { oldCredentials { credential firstUsedAt } } }`,
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
func blocks(t testing.TB, s harness.Staff, c harness.Caller, mutation, more string) {
	t.Helper()
	err := s.Ask(fmt.Sprintf(`mutation($id: ID!) { %s(input: {providerId: $id, userId: "u-1001"%s}) { customer { userId } } }`, mutation, more),
		map[string]any{"id": fmt.Sprint(c.Keys.ID)}, &struct{}{})
	if err != nil {
		t.Fatalf("%s: %v", mutation, err)
	}
}
