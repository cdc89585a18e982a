package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// groups are all test cases, by what they are about.
var groups = []group{
	{"commit", []testCase{
		{"an empty changeset is no fault", func(w *world) { w.commit(core.Changeset{}) }},
		{"a changeset that fails anywhere leaves nothing of itself", failingLeavesNothing},
		{"what must be unique is a conflict when it is taken", takenNames},
		{"a name that its row gave up may be taken by another", givenUpName},
		{"a large changeset is committed like any other", largeChangeset},
		{"a blocked customer's changeset is refused, and only that provider's customer is blocked", blockedCustomer},
		{"a customer has no more open deposits than the limit, and only that owner's customer is counted", customersBounded},
		{"a site has no more open deposits than the limit", sitesBounded},
		{"those who create at the same moment keep the limits together", boundedTogether},
		{"a context that is over is an error of every call, and never a hang", canceled},
	}},
	{"rows", []testCase{
		{"every field comes back as it went in, whatever it holds", forEachKind(everyFieldComesBack)},
		{"saving a row replaces every field", forEachKind(savedWhole)},
		{"a row is not found as another dealer's", forEachKind(foundForAnother)},
		{"a row is not saved as another dealer's", forEachKind(savedForAnother)},
		{"a row is found by its own names only, by each of them whole", forEachKind(foundByName)},
		{"what belongs together comes in order, and nothing else with it", forEachKind(listedInOrder)},
		{"a row that is there is a conflict when it comes as a new one", forEachKind(insertedOnce)},
	}},
	{"versions", []testCase{
		{"a row is saved as its next version, once, and as any other is a conflict", forEachKind(nextVersionOnly)},
		{"one stale row among fresh ones is enough for a conflict", staleAmongFresh},
	}},
	{"concurrency", []testCase{
		{"of many who want the same at once one wins and the others leave nothing", everyRace},
		{"a neighbor's fault never spoils a changeset that is fine", badNeighbors},
		{"changesets that touch the same accounts and wallets in opposite orders all commit, and sum exactly", oppositeOrders},
		{"a changeset is seen whole or not at all", seenWhole},
		{"of concurrent transfers as many succeed as the balance is enough for", transfersTogether},
		{"a line that many import at the same time is kept and credited once", importedTogether},
	}},
	{"payments", []testCase{
		{"a payment is found by its token, of which the fingerprint alone is kept", foundByToken},
		{"a payment is found by its owner's reference, the newest of several, and nobody else's", foundByReference},
		{"a text has U+FFFD for a NUL, and what is asked for with a NUL is not found", noNULs},
		{"only showing and pending payments that no gateway works on expire by the clock", onlyOpenExpire},
		{"what is due comes page by page, each payment once, also those due at one moment", dueInPages},
	}},
	{"lists", []testCase{
		{"whatever a list is narrowed to, it has that and nothing else, in order", everyListNarrowed},
	}},
	{"paging", []testCase{{"the pages of every list are turned in both directions", everyListTurned}}},
	{"payment lists", []testCase{
		{"an empty list is no fault", func(w *world) {
			w.same(0, len(w.list(report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: core.MaxPage}})))
		}},
		{"pages cover everything once even while payments are created", pagesCoverEverything},
		{"payments are listed by ID, however late they were committed", lateCommit},
	}},
	{"claims", []testCase{
		{"claiming raises the version, sets the lease and changes nothing else", forEachClaimable(claimChanges)},
		{"the earliest due are claimed first, at most as many as asked for", forEachClaimable(earliestFirst)},
		{"what is due is due from its moment, and never without one", forEachClaimable(dueFromItsMoment)},
		{"what is leased is not claimed again until its lease is over", forEachClaimable(leaseIsRespected)},
		{"a result from before the claim, or of a lost lease, is a conflict and leaves nothing", forEachClaimable(lostLease)},
		{"only what waits for the claimer is claimed", forEachClaimable(onlyOwnWork)},
		{"concurrent claimers get disjoint rows and together all of them", forEachClaimable(disjointClaims)},
	}},
	{"callback claims", []testCase{
		{"no callback is given while an earlier one of its payment waits", earlierFirst},
		{"due receivers come once each, in order of their bytes, and have something to claim", dueReceivers},
		{"due gateways come once each, in order, and have something to claim", dueGateways},
		{"thousands of callbacks of one receiver do not hide the others", crowdedReceiver},
		{"attempts are one callback's, oldest first", attemptsInOrder},
	}},
	{"accounts", []testCase{
		{"accounts are one dealer's and of one kind, by id, inactive ones too", accountsByID},
		{"a use counts where it expects the load's version or none, on its day, and is a conflict otherwise", usesCount},
		{"several uses of one account in a changeset all count", usesTogether},
		{"saving an account leaves its load alone", savingKeepsLoad},
	}},
	{"idempotency", []testCase{
		{"a record older than ReplacesBefore is replaced", oldIsReplaced},
		{"a record whose key is no proper text comes back with its answer", oddKey},
		{"a nonce is used once by each caller, until it is pruned", noncesAreUsedOnce},
		{"a nonce that was used keeps nothing of its changeset", usedNonceKeepsNothing},
	}},
	{"installation", []testCase{
		{"an empty database is marked as a demo's, by whoever asks, and stays marked", emptyIsMarked},
		{"a database with a provider is not marked", peopledBy(func(w *world) core.Row { return w.provider() })},
		{"a database with a dealer is not marked", peopledBy(func(w *world) core.Row { return w.dealer() })},
		{"a database with a gateway account is not marked", peopledBy(func(w *world) core.Row { return made(w.maker, owner.GatewayAccount{}) })},
		{"a database with a member of staff is not marked", peopledBy(func(w *world) core.Row { return w.staff() })},
		{"a database with an invitation is not marked", peopledBy(func(w *world) core.Row { return w.invitation() })},
		{"a database with a payment is not marked", peopledBy(func(w *world) core.Row { return w.payment() })},
		{"a database with an audit entry is not marked", peopledBy(func(w *world) core.Row { return w.audit() })},
	}},
	{"sequences", []testCase{
		{"each sequence begins with 1 and rises, and no number is given twice, however many ask at once", numbersRise},
	}},
	{"vitals", []testCase{
		{"a process proves again and again that it can write, with and without new space", provesItself},
		{"the database tells a time that goes on", tellsTheTime},
	}},
	{"epochs", []testCase{
		{"there is one epoch, which is saved by compare-and-set, and a mark that grows beside it", epochAndMark},
		{"what remains comes in pages of an epoch, open or acknowledged, each subject once", remainsOfAnEpoch},
		{"operations that are not closed come in the order of their IDs", liveOperations},
		{"disputes that are asked about come in the order of their IDs", liveDisputes},
	}},
	{"operations", []testCase{
		{"each next step comes back alone, and one that was decided at once is not kept", everyStep},
		{"of operations with one id at a gateway the newest is found", newestExternal},
		{"calls are those of payments or of gateway accounts, newest first, at most Limit of each", callsInOrder},
		{"national ids of a notification are not kept", nationalIDs},
	}},
	{"disputes", []testCase{
		{"a gateway account has one dispute of a name", disputesOnce},
		{"disputes by their deadline come nearest first, page by page, and without those that have none", disputesByDeadline},
		{"due gateways come once each, in order, with what is listed and what is asked about", disputeGatewaysWithWork},
	}},
	{"credits", []testCase{
		{"a payment is completed with its credit, and never without one or for another amount", completedByCredit},
		{"a bank line is behind one credit, ever, and for no more than it brought", lineCreditsOnce},
		{"an operation is behind one credit, ever, and for no more than it brought", operationCreditsOnce},
		{"a dispute gives back to a credit no more than it has taken from it", disputesCredit},
		{"a credit is never changed, and only money that a word waits for is added to it", creditNeverChanged},
		{"a correction stays within what its source brought, and above nothing", correctionsWithin},
		{"deposits that wait for their money are found by their account", awaitingByAccount},
		{"adding up all credits finds nothing wrong where nothing is", creditsAddUp},
		{"adding up all credits finds what is wrong", creditsThatAreWrong},
	}},
	{"bank accounts", []testCase{
		{"a bank account is held for one use, as often as it is taken", ibanHeldForOneUse},
		{"a new account and a new wallet hold their bank accounts", ibanOfAccounts},
		{"a refused claim leaves nothing of its changeset", ibanRefusedWhole},
		{"of many who take a bank account for either use those of one win", ibanTogether},
	}},
	{"wallets", []testCase{
		{"wallets are one dealer's or all, inactive ones too, and saving one leaves its balance alone", walletsWithBalances},
		{"a wallet's entries are added up beside its balances", ledgerAddedUp},
	}},
	{"ledger", []testCase{
		{"entries are one wallet's, newest first", entriesInOrder},
		{"adjustments are one wallet's and one day's, by number", adjustmentsOfDay},
		{"everything that is there may be taken, and nothing more", everythingTaken},
		{"a changeset's entries are added up before a balance is looked at", entriesAddedUp},
		{"an entry that does not sum to zero is refused, also beside its opposite", unbalancedEntry},
		{"an entry of a wallet that is not there is a conflict, and of one that comes with it is booked", entryOfNoWallet},
	}},
	{"bank lines", []testCase{
		{"a line that is known in its wallet is kept as it was and its entry is left out, and nothing else", knownLine},
		{"an entry may name a line that is not in its changeset, once", entryOfOldLine},
		{"of a line that comes twice in a changeset the first is kept", lineTwice},
		{"saving a line replaces where it stands and nothing that the bank said, whatever is imported again", savedLine},
		{"the next version of a line is saved, once, and any other is a conflict", lineVersions},
		{"an entry about a line that is saved is booked", bookedLate},
		{"a line that is saved comes once in a changeset, and not beside its import", savedTwice},
		{"saved and new lines may come together", savedAmongNew},
		{"the line that takes one back is kept, and the lines that do are found", reversals},
	}},
	{"bank line pages", []testCase{
		{"lines come newest first, by moment and then by the bytes of their id", linesInOrder},
		{"lines are of one wallet, from included, until excluded, page by page, and the total is of all", linePages},
	}},
	{"bank line lists", []testCase{
		{"lines are narrowed by dealer, wallet and states, newest first", linesNarrowed},
		{"lines are found by words, IBANs, amounts and days", linesFoundBy},
		{"a payment's lines are those that are matched with it, oldest first", linesOfPayment},
	}},
	{"senders and candidates", []testCase{
		{"who paid from an IBAN comes once, those of the latest lines first", sendersInOrder},
		{"only incoming lines of E-IBAN deposits tell who paid", onlyDeposits},
		{"senders are compared by their normalized IBAN", sendersNormalized},
		{"what is no IBAN is nobody's", noSender},
		{"a line tells who paid from when it is matched", senderOnceMatched},
		{"candidates are an account's deposits of a time, newest first", candidatesBetween},
		{"a deposit is a candidate in every status but completed", candidateStatuses},
	}},
	{"feeds", []testCase{
		{"without feeds, lines and days nothing is wrong", soundHealth},
		{"health counts what is wrong, and finds the oldest", unsoundHealth},
	}},
	{"reconciliations", []testCase{
		{"days are narrowed by dealer, wallet, day and what is open, newest first", daysNarrowed},
	}},
	{"day books", []testCase{
		{
			"a day has the lines booked in it and the entries made in it, from included, until excluded, and nothing of another wallet",
			dayOfItsOwn,
		},
		{"a line brings its entry and the post of its transfer, whenever they were made", lineBrings},
		{"a post brings the lines of its transfer, whenever they are booked", postBringsLines},
		{"a day has everything once, oldest first", dayOnce},
	}},
	{"withdrawal desk", []testCase{
		{"on the desk are withdrawals that are pending or processing", onDeskOnly},
		{"notes are read by payment and number, and their files apart", notesOfPayments},
		{"test plans are due by their moment and not before, the longest due first, at most so many", dueTestPlans},
		{"payouts to decide are those that wait for approval or for a code", payoutsToDecide},
		{
			"withdrawals and their loads are narrowed by owner, and withdrawals by who has them, oldest first",
			deskNarrowed,
		},
		{"the desks of so many dealers are listed", desksOfMany},
	}},
	{"audit chain", []testCase{
		{"links come back in their order, with their entries, and an entry with its number", linksComeBack},
		{"a number is taken once, and an entry is chained once", chainedOnce},
		{"entries without a link are found, stretch by stretch", unchainedFound},
		{"the end and its checkpoint are of one moment, and a checkpoint is replaced once", endOfOneMoment},
	}},
	{"due work", []testCase{
		{"the oldest payment of each method and open status is told", theOldestOfEachIsTold},
		{"what is due is counted from its moment on, and stuck when it is due too long and nobody has it", workBecomesStuck},
		{"what failed is counted apart, and what waits for nobody is not counted", workThatFailed},
	}},
	{"given up", []testCase{
		{"callbacks of an owner are read on from one, whatever became of them", callbacksAfter},
		{"callbacks are listed within their scope, by what became of them, either way", callbackList},
	}},
	{"open work", []testCase{
		{"what waits for staff is counted within their scope, with the oldest", workThatWaitsForStaff},
		{"counting stops at a bound", workIsCountedUpToABound},
		{"gateways that fail are counted, and no others", gatewaysThatFail},
		{"how long the last deposits of a site and method, or of a dealer, waited is told", waitsOfTheLast},
	}},
	{"previous keys", []testCase{
		{"an owner is found by its key, and by the one before unless another has it now", foundByEitherKey},
	}},
	{"owner lists", []testCase{
		{
			"owners come by id, a page of those of the scope, of a part of a name, as names are compared, and of a switch",
			ownersNarrowed,
		},
		{"what a caller does to its copy does not reach the store", noAliases},
		{"a name is found behind more owners than are read at once", ownerBehindMany},
	}},
	{"customers", []testCase{
		{"a customer's payments are summed up, and nobody else's", customerSummedUp},
		{"of very many payments the newest are counted, and the oldest is known", customerOfVeryMany},
	}},
	{"block list", []testCase{
		{"blocks come newest first, of one provider or of all, though many were blocked at one moment", blocksNewestFirst},
		{"who is unblocked may pay again, and nobody else, once", unblocked},
		{"a block may be replaced by another in one changeset", blockReplaced},
	}},
	{"jobs", []testCase{
		{"jobs are found by the scope with which they were ordered", jobsOfScope},
	}},
	{"retention", []testCase{
		{"at most limit answers created before a moment are pruned", forgetsOld},
		{"at most limit nonces used before a moment are pruned", noncesPruned},
		{"files are pruned some time after their job is over", filesForgotten},
		{"sign-ins that expired long ago are pruned", signInsForgotten},
		{"only what is older is pruned, and nothing that waits", onlyOldRowsArePruned},
		{"there is room for the coming months, and for what is written beyond them", roomMade},
		{"attempts of a callback that waits stay, and those made lately", attemptsPruned},
		{"histories go by months that nobody needs", historiesPruned},
		{"entries of the audit log go as far as the log says", entriesPruned},
		{"what is not prunable is a fault", unknownKindIsAFault},
	}},
	{"signing in", []testCase{
		{"a session shows its staff member as it is now, also when it is revoked", sessionOfChangedStaff},
		{"saved views that were removed are pruned", savedViewsForgotten},
		{"saved views are those of one scope, a member's own and what is shared", savedViewsListed},
		{"sessions of a member are those that live, newest first", sessionsListed},
		{"a member without factors has those of version 0", func(w *world) {
			w.same(staff.Factors{StaffID: 7}, read(w, w.store.FactorsOf, 7))
		}},
		{"a removed passkey is found no more", removedPasskey},
	}},
	{"approvals", []testCase{
		{"requests about payments that have ended are found", requestsOver},
		{"requests come newest first and are narrowed", approvalsNarrowed},
		{"requests that wait lapse from their time on, page by page", onlyWaitingLapse},
		{"nobody decides about their own request, and somebody does", nobodyDecidesAlone},
		{"what has ended is not decided again by who saw it waiting", endedStaysEnded},
	}},
	{"payment searches", []testCase{
		{"a name is found by the beginnings of its words, in any order and without regard to Turkish letters", namesAreFound},
		{"one text finds what it can be", textsAreFound},
		{
			"whatever filters are combined, in whichever order and however little is looked at, a look at each finds the same",
			searchesAgree,
		},
		{"what is found too often can't be sorted", tooManyToSort},
		{"a name's beginning of too many words is refused", tooVague},
	}},
	{"several at once", []testCase{
		{"what belongs to several payments is what belongs to each", pagesOfSeveral},
		{"a page of what belongs to several payments is the page of each", pagesOfEachOfSeveral},
		{"a callback's last attempts are those that are read", lastAttempts},
		{"feeds of several wallets are each one's, by wallet", feedsOfSeveral},
		{"candidates of several lines are those of each", candidatesOfSeveral},
	}},
	{"statistics", []testCase{
		{
			"statistics are what counting every payment gives, whenever and by however many they are refreshed",
			statisticsAgree("Europe/Istanbul", time.Date(2026, time.January, 30, 3, 0, 0, 0, time.UTC)),
		},
		{
			"statistics agree where the day begins twice",
			statisticsAgree("America/Havana", time.Date(2025, time.October, 20, 3, 0, 0, 0, time.UTC)),
		},
		{
			"statistics agree where midnight is left out",
			statisticsAgree("Africa/Cairo", time.Date(2026, time.April, 10, 3, 0, 0, 0, time.UTC)),
		},
		{
			"statistics agree where clocks change by half an hour",
			statisticsAgree("Australia/Lord_Howe", time.Date(2026, time.March, 15, 3, 0, 0, 0, time.UTC)),
		},
		{
			"statistics agree where hours begin at quarters",
			statisticsAgree("Asia/Kathmandu", time.Date(2026, time.January, 1, 3, 0, 0, 0, time.UTC)),
		},
		{"statistics are built anew for another time zone, and after they were forgotten", statisticsAnew},
		{"more rows than may be read are refused", statisticsTooWide},
	}},
}
