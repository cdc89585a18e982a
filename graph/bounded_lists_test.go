package graph_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// boundedLists are the fields that give a list at once, each with what bounds it. Whatever has no bound is a connection.
var boundedLists = map[string]string{
	"Approval.changes":                        "what one audit row says, of a command of 64 KiB",
	"CustomerSearch.nodes":                    "customers whose payments are the newest: 50",
	"Approval.guards":                         "what one command of 64 KiB asks for",
	"AuditCheck.failingPlaces":                "a file and a URL",
	"AuditCheck.problems":                     "a check ends at the first",
	"BankLine.candidates":                     "200 deposits, and 200 that wait for their money, are weighed",
	"Callback.attempts":                       "the last 50 are read",
	"CustomerProfile.names":                   "20 are kept",
	"CustomerProfile.totals":                  "a row for each method and status",
	"Dealer.accounts":                         "a dealer has 1,000 of a kind",
	"Dealer.ipWhitelist":                      "200 are taken",
	"Dealer.returnOrigins":                    "20 are taken",
	"Dealer.oldCredentials":                   "one for each kind",
	"Dealer.siteTokens":                       "a dealer has 1,000",
	"DealerCredentialsPayload.credentials":    "one for each kind",
	"DepositCandidate.evidence":               "each value once",
	"Restoration.remains":                     "200 are read at once",
	"AcknowledgeRemainsPayload.remains":       "200 are acknowledged at once",
	"Remain.active":                           "each role once",
	"Remain.missing":                          "each once",
	"AuditEntry.changes":                      "what one audit row says, of a command of 64 KiB",
	"GatewayHealth.calls":                     "the last 100 are read",
	"Query.roles":                             "each role once",
	"RoleRights.permissions":                  "each value once",
	"RoutePreview.order":                      "there are 1,000 accounts",
	"RoutePreview.others":                     "there are 1,000 accounts",
	"GatewayAccount.collectingIbans":          "its configuration of 4,096 characters names them",
	"GatewayAccount.config":                   "a row for each field of its plugin",
	"GatewayConfigField.choices":              "a plugin is code",
	"GatewayDepositTraits.assets":             "a plugin is code",
	"GatewayDepositTraits.needs":              "a plugin is code",
	"GatewayDepositTraits.refundNeeds":        "a plugin is code",
	"GatewayDepositTraits.steps":              "each value once",
	"GatewayNeed.kinds":                       "each value once",
	"GatewayNotification.trackingCodes":       "one notification of 256 KiB names them",
	"GatewayOperation.fields":                 "the needs of its plugin",
	"GatewayPayoutTraits.assets":              "a plugin is code",
	"GatewayPayoutTraits.needs":               "a plugin is code",
	"DecideManyPayload.results":               "100 decisions are taken",
	"DecisionPreview.callbacks":               "a decision sends one",
	"DecisionPreview.guards":                  "a few for each thing",
	"DecisionPreview.warnings":                "each value once",
	"Transaction.notes":                       "a transaction has 200",
	"Transaction.disputes":                    "100 of a transaction are kept as its",
	"Dispute.evidence":                        "20 of a dispute",
	"DisputeEvidence.pieces":                  "each kind once",
	"GatewayPlugin.capabilities":              "each value once",
	"GatewayPlugin.config":                    "a plugin is code",
	"GatewayPlugin.environments":              "a plugin is code",
	"GatewayPlugin.kinds":                     "each value once",
	"GatewayPlugin.setup":                     "a plugin is code",
	"GatewayPluginEnvironment.hosts":          "a plugin is code",
	"Installation.currencies":                 "what is configured",
	"Installation.languages":                  "two are spoken",
	"Installation.methods":                    "each value once",
	"Installation.secondFactorRequiredOf":     "each role once",
	"Job.failures":                            "100 are kept",
	"Job.skips":                               "a row for each reason",
	"Job.totals":                              "a row for each method, status and currency",
	"Provider.ipWhitelist":                    "200 are taken",
	"Provider.oldCredentials":                 "one for each kind",
	"Provider.sites":                          "a provider has 1,000",
	"ProviderCredentialsPayload.credentials":  "one for each kind",
	"Query.approvalRules":                     "a rule for each action",
	"Query.bankAccounts":                      "the first 1,000 of a bank's",
	"Query.gatewayAccounts":                   "there are 1,000",
	"Query.gatewayPlugins":                    "a plugin is code",
	"Query.labels":                            "each enum once",
	"Query.mySessions":                        "a member has 100",
	"Query.openWork":                          "each kind once",
	"Query.routeRules":                        "there are 1,000",
	"Query.staffSessions":                     "a member has 100",
	"Query.wallets":                           "there are 1,000",
	"Query.withdrawalDesk":                    "the desks of 1,000 dealers are read",
	"Queues.taskQueues":                       "20 are told of",
	"Queues.work":                             "a row for each kind",
	"Reconciliation.differences":              "500 are kept",
	"SecondFactor.kinds":                      "each value once",
	"SecondFactors.passkeys":                  "a member has 10",
	"SecondFactorsPayload.recoveryCodes":      "ten are issued",
	"SessionsPayload.sessions":                "a member has 100",
	"Site.oldCredentials":                     "one for each kind",
	"Site.returnOrigins":                      "20 are taken",
	"SiteCredentialsPayload.credentials":      "one for each kind",
	"SiteToken.oldCredentials":                "one for each kind",
	"SiteTokenCredentialsPayload.credentials": "one for each kind",
	"Staff.permissions":                       "each value once",
	"Statistics.rows":                         "10,000, or the question is refused",
	"TakeApprovalResultPayload.credentials":   "what one command issues",
	"TestGatewayAccountPayload.checks":        "a plugin is code",
	"RefundTerms.needs":                       "a plugin is code",
	"Transaction.approvals":                   "the last 200 are read",
	"Transaction.bankLines":                   "one that paid a deposit; of a transfer one each way",
	"Transaction.callbacks":                   "one for each end, and for each of 100 corrections",
	"Transaction.credits":                     "one, and 100 corrections",
	"Transaction.gatewayCalls":                "the last 200 are read",
	"Transaction.operations":                  "30 deposits or one payout, and 100 refunds",
	"Transaction.possibleDecisions":           "each value once",
	"WalletStatement.lines":                   "a page of 100",
	"ValueLabels.values":                      "each value of an enum once",
}

// plainLists are the fields of a schema's objects that give a list at once, and not a page of one.
func plainLists(s *ast.Schema) []string {
	var names []string
	for _, d := range s.Types {
		isPage := strings.HasSuffix(d.Name, "Connection") && d.Fields.ForName("pageInfo") != nil
		if d.BuiltIn || d.IsInputType() || isPage {
			continue
		}
		for _, f := range d.Fields {
			if f.Type.Elem != nil && !strings.HasPrefix(f.Name, "__") {
				names = append(names, d.Name+"."+f.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// unpaged are the fields that give a page of a list, and take no arguments to choose it by.
func unpaged(s *ast.Schema) []string {
	var names []string
	for _, d := range s.Types {
		for _, f := range d.Fields {
			for _, argument := range []string{"first", "after", "last", "before"} {
				if strings.HasSuffix(f.Type.Name(), "Connection") && f.Arguments.ForName(argument) == nil {
					names = append(names, d.Name+"."+f.Name+"."+argument)
				}
			}
		}
	}
	return names
}

// TestEveryListIsBounded: what grows with time or with what others do is read in pages.
func TestEveryListIsBounded(t *testing.T) {
	t.Parallel()
	found := plainLists(schema())
	for _, name := range found {
		if boundedLists[name] == "" {
			t.Errorf("%s is a list of which nothing says how long it may get: make it a connection, or say what bounds it", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(boundedLists)) {
		if !slices.Contains(found, name) {
			t.Errorf("the schema has no list %s", name)
		}
	}
	if names := unpaged(schema()); len(names) > 0 {
		t.Errorf("pages can't be chosen: %v", names)
	}
}

func TestAListThatIsNoPageIsSeen(t *testing.T) {
	t.Parallel()
	s := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { a: [Int!] b: [[B]!]! c: BConnection d(first: Int, after: String, last: Int, before: String): BConnection! e(in: [Int!]): Int }
		type B { e: [E!] f: Int }
		enum E { X }
		input I { list: [Int!] }
		type BConnection { nodes: [B!]! pageInfo: Int }
		type OtherConnection { nodes: [B!]! }
	`})
	if got, want := plainLists(s), []string{"B.e", "OtherConnection.nodes", "Query.a", "Query.b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := unpaged(s), []string{"Query.c.first", "Query.c.after", "Query.c.last", "Query.c.before"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
