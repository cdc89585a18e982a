package bunstore_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
)

// columns says of the texts and bytes of a table what they are. Each is names of columns, separated by spaces.
type columns struct {
	// Not of any customer: ours, of staff, dealers and providers, or sealed for their sake.
	notPersonal string
	// Personal, and sealed under a key of the customer's or the wallet's.
	sealed string
	// Keyed hashes of what is personal.
	blinded string
	// Parts of names that nothing leads from to a payment.
	unlinked string
	// The keys themselves, and what names them.
	sealing string
	// The provider's id of a customer, or a hash of it: a forgotten one's gives way to a pseudonym, and who is on the block list is
	// not forgotten before they are off it.
	pseudonym string
	// What gateways and receivers have said, cleared when the customer is forgotten.
	cleared string
	// May hold personal data, and is deleted after a time that is far shorter than customers are kept.
	shortLived string
	// What staff have written, or somebody has decided: it names no customer unless staff do.
	staffText string
}

func (c columns) all() []string {
	return strings.Fields(strings.Join([]string{
		c.notPersonal, c.sealed, c.blinded, c.unlinked, c.sealing, c.pseudonym, c.cleared, c.shortLived, c.staffText,
	}, " "))
}

// declared are all columns that have texts or bytes. Whoever adds one says here whether it is personal, and then how it is
// sealed or what becomes of it when the customer is forgotten.
var declared = map[string]columns{
	"account_loads":     {notPersonal: "day"},
	"accounts":          {notPersonal: "bank_name currency holder iban kind"},
	"approval_rules":    {notPersonal: "action currency"},
	"approvals":         {notPersonal: "id payment_id state", pseudonym: "subject", staffText: "body input result"},
	"attempts":          {notPersonal: "callback_id error id url", cleared: "answer"},
	"audit_chain":       {notPersonal: "entry_id hash key_id"},
	"audit_checkpoints": {notPersonal: "adoptions hash key_id name signature"},
	"audit_checks":      {notPersonal: "failing hash key_id name problems"},
	"audit_entries": {
		notPersonal: "action by_addr by_id by_kind by_name id",
		pseudonym:   "target",
		staffText:   "after_state before_state reason",
	},
	"bank_accounts": {notPersonal: "iban use"},
	"bank_lines": {
		notPersonal: "direction id line_id payment_id reversed_by reverses state",
		sealed:      "body",
		blinded:     "party_iban",
		staffText:   "note",
	},
	"bank_line_terms": {notPersonal: "id", blinded: "term"},
	"blocks":          {notPersonal: "by_addr by_id by_kind by_name", pseudonym: "user_id", staffText: "reason"},
	"callbacks":       {notPersonal: "id kind payload payment_id receiver state", sealed: "personal", sealing: "key_id"},
	"credits": {
		notPersonal: "dispute_id by_addr by_id by_kind by_name currency id line_id operation_id payment_id source tracking_code",
		staffText:   "reason",
	},
	"dealers": {
		notPersonal: "api_key color credit_card_url deposit_url display_name eiban_deposit_url home_url ip_whitelist logo name previous_api_key " +
			"previous_secret_key privacy_url return_label return_origins secret_key support_email support_phone support_url terms_url withdrawal_url",
	},
	"discrepancies": {notPersonal: "id kind operation_id payment_id state tracking_code", staffText: "body"},
	"disputes": {
		notPersonal: "currency external_id id operation_id payment_id reason state tracking_code", staffText: "body",
	},
	"dispute_listings": {notPersonal: "trouble"},
	"epochs":           {notPersonal: "cause id installation name state"},
	"epoch_marks":      {notPersonal: "home id"},
	"feeds":            {notPersonal: "reconciled_to trouble"},
	"gateway_accounts": {
		notPersonal: "code collects config currency description environment hook_fingerprint hook_token name plugin previous_config trouble",
	},
	"gateway_calls":       {notPersonal: "effect id name operation_id outcome payment_id", cleared: "detail"},
	"idempotency_records": {notPersonal: "caller endpoint idempotency_key request_hash", shortLived: "body"},
	"invitations":         {notPersonal: "by_addr by_id by_kind by_name email fingerprint id role"},
	"installation":        {notPersonal: "purpose"},
	"job_chunks":          {notPersonal: "job_id", shortLived: "content"},
	"jobs":                {notPersonal: "id kind state", shortLived: "body"},
	"ledger_entries":      {notPersonal: "day id kind line_id made_by payment_id", staffText: "note"},
	"moves": {
		notPersonal: "by_addr by_id by_kind by_name command currency from_status id payment_id to_status",
		staffText:   "reason",
	},
	"name_words":    {unlinked: "word"},
	"notifications": {notPersonal: "id key state type", shortLived: "body"},
	"operations":    {notPersonal: "external_id external_payment id kind payment_id phase ref return_fingerprint state", cleared: "body"},
	"passkeys":      {notPersonal: "credential_id id name record"},
	"payment_notes": {
		notPersonal: "audience by_addr by_id by_kind by_name file_type id kind payment_id", sealed: "personal", sealing: "key_id",
	},
	"payment_note_files": {notPersonal: "note_id payment_id", sealed: "content", sealing: "key_id"},
	"payment_terms":      {notPersonal: "id", blinded: "term words"},
	"payments": {
		notPersonal: "account_bank account_day account_holder account_iban claim_name claim_request_id currency details id " +
			"language method operation_id site_name status token_fingerprint tracking_code",
		sealed:    "personal",
		sealing:   "key_id",
		pseudonym: "user_id",
		staffText: "reason",
	},
	"personal_keys": {blinded: "fingerprint", sealing: "id sealed_key"},
	"processes":     {notPersonal: "id"},
	"providers": {
		notPersonal: "api_key credit_card_url deposit_url eiban_deposit_url ip_whitelist language name previous_api_key " +
			"previous_secret_key previous_verification_key previous_webhook_key secret_key verification_key " +
			"webhook_secret withdrawal_url",
	},
	"reconciliations":    {notPersonal: "body day"},
	"remains":            {notPersonal: "by_addr by_id by_kind by_name detail epoch facts id kind subject", staffText: "reason"},
	"request_nonces":     {notPersonal: "caller nonce"},
	"route_rules":        {notPersonal: "currency kind name"},
	"running_totals":     {notPersonal: "currency key"},
	"saved_views":        {notPersonal: "id list owner_email role sharing", staffText: "filter name"},
	"sequences":          {notPersonal: "name"},
	"sessions":           {notPersonal: "addr fingerprint id user_agent"},
	"sign_in_challenges": {notPersonal: "fingerprint kind session_id state"},
	"site_tokens":        {notPersonal: "name previous_secret_key previous_token_key secret_key token"},
	"sites": {
		notPersonal: "color credential_fingerprint credit_card_url deposit_url display_name eiban_deposit_url home_url logo name " +
			"previous_credential_key privacy_url return_label return_origins support_email support_phone support_url terms_url withdrawal_url",
	},
	"test_plans":                  {notPersonal: "currency delivery error_code outcome payment_id"},
	"staff":                       {notPersonal: "email password_hash role"},
	"staff_factors":               {notPersonal: "pending_totp places recovery_codes totp"},
	"staff_profiles":              {notPersonal: "language name theme"},
	"statistics":                  {notPersonal: "currency decisions delays method span status"},
	"statistics_callbacks_before": {notPersonal: "callback_id payment_id state"},
	"statistics_created":          {notPersonal: "currency method status"},
	"statistics_payments_before":  {notPersonal: "currency method payment_id status"},
	"statistics_state":            {notPersonal: "zone"},
	"wallets":                     {notPersonal: "bank_account bank_name holder iban wallet_id"},
}

// textColumns are the columns of each table of a database that have texts or bytes.
func textColumns(t *testing.T, cfg bunstore.Config, db *sql.DB) map[string][]string {
	t.Helper()
	query := `SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND c.type IN ('TEXT', 'BLOB')`
	if cfg.DatabaseURL != "" {
		query = `SELECT table_name, column_name FROM information_schema.columns -- a partition has those of its table
			WHERE table_schema = current_schema() AND NOT (SELECT relispartition FROM pg_class WHERE oid = quote_ident(table_name)::regclass) AND data_type NOT IN ('bigint', 'integer', 'boolean', 'timestamp with time zone')`
	}
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		if table != "vezne_migrations" && table != "vezne_migration_locks" {
			found[table] = append(found[table], column)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEveryColumnIsDeclaredPersonalOrNot(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		found := textColumns(t, cfg, rawDatabase(t, cfg))
		if len(found) < 30 {
			t.Fatalf("there are %d tables", len(found))
		}
		for table, names := range found {
			for _, name := range names {
				if n := count(declared[table].all(), name); n != 1 {
					t.Errorf("%s.%s is declared %d times: say once whether it is personal, and how it is sealed", table, name, n)
				}
			}
		}
		for table, c := range declared {
			for _, name := range c.all() {
				if !slices.Contains(found[table], name) {
					t.Errorf("%s.%s is declared, and there is none", table, name)
				}
			}
		}
	})
}

func count(list []string, name string) (n int) {
	for _, s := range list {
		if s == name {
			n++
		}
	}
	return n
}
