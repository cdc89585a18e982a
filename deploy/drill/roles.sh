#!/bin/sh
# roles.sh PROGRAM: brings the schema of a PostgreSQL up to date and serves in two roles, each with the files that compose and the chart
# give it and no others.
set -eu

program=$(realpath "$1")
database=$VEZNE_TEST_DATABASE_URL redis=$VEZNE_TEST_REDIS_URL
dir=$(mktemp -d)
cd "$dir"
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || true; done; wait; rm -rf "$dir"' EXIT

fail() {
    echo "roles.sh: $1" >&2
    tail -n 20 ./*.log >&2 || true
    exit 1
}
echo "$database" >database_url
echo "$redis" >redis_url
openssl rand -base64 32 >master_key
openssl rand -base64 32 >audit_key

# A server refuses the empty schema, and the job that makes it needs no key.
common="VEZNE_BASE_URL=https://pay.example.com VEZNE_DATABASE_URL_FILE=$dir/database_url VEZNE_REDIS_URL_FILE=$dir/redis_url VEZNE_MASTER_KEY_FILE=$dir/master_key VEZNE_LOG_FORMAT=json"
# shellcheck disable=SC2086 # a list of settings
serve() { # ROLE PORT settings
    env $common VEZNE_LISTEN="127.0.0.1:$2" VEZNE_ADMIN_LISTEN=off ${3:-} "$program" serve --role "$1" 2>"$1.log"
}
serve api 18080 && fail "a server takes an empty schema"
env VEZNE_DATABASE_URL_FILE="$dir/database_url" "$program" migrate up >migrate.log 2>&1 || fail "the schema is not made"
serve worker 18082 && fail "a worker does without the audit key"
serve api 18080 &
pids="$pids $!"
serve worker 18082 "VEZNE_AUDIT_KEY_FILE=$dir/audit_key" &
pids="$pids $!"
for port in 18080 18082; do
    tries=0
    until VEZNE_LISTEN=127.0.0.1:$port "$program" health >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || fail "port $port is never ready"
        sleep 0.1
    done
done
for secret in master_key audit_key database_url; do
    if grep -qF "$(cat $secret)" ./*.log; then fail "a log has $secret"; fi
done
echo "the roles hold"
