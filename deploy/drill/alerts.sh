#!/bin/sh
# alerts.sh PROGRAM: Prometheus's own tool reads the rules, runs their unit tests, and reads what a demo says at /metrics, where every
# figure has to be that rules and dashboards ask for.
set -eu

program=$(realpath "$1")
rules=$(realpath "$(dirname "$0")/../prometheus")
dir=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
pid=

promtool check rules "$rules/alerts.yaml" "$rules/slo_rules.yaml"
(cd "$rules" && promtool test rules alerts_test.yaml slo_rules_test.yaml)

# On a PostgreSQL, which has months; and what it reads may come from a standby, which this one, being the primary itself, never is.
psql --quiet "$VEZNE_TEST_DATABASE_URL" --command 'CREATE DATABASE alerts'
database=$(echo "$VEZNE_TEST_DATABASE_URL" | sed 's#/[^/?]*?#/alerts?#')
VEZNE_DATABASE_URL=$database VEZNE_DATABASE_READ_URL=$database VEZNE_AUDIT_HEADS_FILE=$dir/heads.jsonl VEZNE_ADMIN_LISTEN=127.0.0.1:28091 "$program" demo --listen 127.0.0.1:28090 --data-dir "$dir" >"$dir/log" 2>&1 &
pid=$!
tries=0
until curl -sf http://127.0.0.1:28091/readyz >/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { tail -n 20 "$dir/log" >&2; exit 1; }
    sleep 0.1
done
"$program" trigger card.success --demo "$dir" >/dev/null # calls a gateway, moves a payment, and sends a callback
asked=$(grep -ohE '\b(vezne|go_sql|go|process)_[a-z_]+' "$rules/alerts.yaml" "$rules/slo_rules.yaml" "$rules"/../grafana/*.json | sed 's/_\(count\|bucket\)$//' | sort -u)
missing() { # but for rows that cannot be opened, of which a demo has none
    curl -sf http://127.0.0.1:28091/metrics >"$dir/metrics"
    for name in $asked; do
        [ "$name" = vezne_damaged_rows_total ] || grep -q "^# TYPE $name " "$dir/metrics" || echo "$name"
    done
}
tries=0
while [ -n "$(missing)" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { echo "alerts.sh: a demo says nothing of" $(missing) >&2; exit 1; }
    sleep 1
done
promtool check metrics <"$dir/metrics"
echo "alerts.sh: $(grep -c '^# TYPE vezne_' "$dir/metrics") figures of a demo and $(cat "$rules/alerts.yaml" "$rules/slo_rules.yaml" | grep -c 'alert:') rules are well"
