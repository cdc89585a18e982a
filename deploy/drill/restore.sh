#!/bin/sh
# restore.sh PROGRAM: backs up a PostgreSQL by base backup and archive of WAL while Vezne works on it, goes on working, restores it to the
# moment of the backup, and looks that the restored one is frozen and the lost one fenced. What is run is what docs/install.md and
# docs/operators.md say, with other paths. It prints minutes and what differs.
set -eu

program=$(realpath "$1")
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
dir=$(mktemp -d)
chmod 755 "$dir"
cd "$dir"
began=$(date +%s)
pids=
as() { setpriv --reuid=nobody --regid=nogroup --clear-groups env -u VEZNE_TEST_DATABASE_URL PATH="$bin:$PATH" HOME="$dir" PGHOST="$dir/run" PGPORT="$port" PGUSER=vezne "$@"; }
stop() { port=$1 as pg_ctl --pgdata="$2" --mode=fast --silent stop 2>/dev/null || true; }
trap 'for pid in $pids; do kill -9 "$pid" 2>/dev/null || true; done; stop 25431 lost; stop 25432 restored; rm -rf "$dir"' EXIT

fail() {
    echo "restore.sh: $1" >&2
    tail -n 20 ./*.log >&2 || true
    exit 1
}
await() { # PORT WHAT: until /readyz has it
    tries=0
    until curl -s "http://127.0.0.1:$1/readyz" | grep -q "$2"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || fail "$1 never says $2: $(curl -s "http://127.0.0.1:$1/readyz")"
        sleep 0.1
    done
}
serve() { # PORT DATABASE-PORT LOG
    VEZNE_DATABASE_URL="postgres://vezne@127.0.0.1:$2/vezne?sslmode=disable" VEZNE_REDIS_URL="$redis" VEZNE_MASTER_KEY="$master" VEZNE_AUDIT_KEY="$audit" \
        VEZNE_BASE_URL=http://127.0.0.1:25480 VEZNE_LISTEN="127.0.0.1:$1" VEZNE_ADMIN_LISTEN=off VEZNE_GATEWAY_SANDBOX=true "$program" serve 2>"$3.log" &
    pid=$!
    pids="$pids $pid"
}
vezne() { VEZNE_DATABASE_URL="postgres://vezne@127.0.0.1:$port/vezne?sslmode=disable" VEZNE_MASTER_KEY="$master" "$program" "$@"; }
count() { port=$1 as psql --dbname=vezne --tuples-only --no-align --command='SELECT count(*) FROM audit_entries'; }

redis=$VEZNE_TEST_REDIS_URL
master=$(openssl rand -base64 32) audit=$(openssl rand -base64 32)
mkdir run wal
chown nobody run wal .

port=25431
as initdb --pgdata=lost --username=vezne --auth=trust --no-instructions >initdb.log
cat >>lost/postgresql.conf <<END
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir/run'
archive_mode = on
archive_command = 'test ! -f $dir/wal/%f && cp %p $dir/wal/%f.new && sync $dir/wal/%f.new && mv $dir/wal/%f.new $dir/wal/%f'
archive_timeout = 60
END
as pg_ctl --pgdata=lost --options="-p $port" --log=lost.pg.log --wait --silent start || fail "the server does not start"
as createdb vezne
vezne migrate up >/dev/null
serve 25480 25431 lost
await 25480 '"money":"ok"'
VEZNE_STAFF_PASSWORD=$(openssl rand -hex 16) vezne staff create --email first@example.com --role admin >/dev/null

as pg_basebackup --pgdata=base --checkpoint=fast --wal-method=stream --manifest-checksums=SHA256
as pg_verifybackup --quiet base
before=$(count 25431)
until=$(as psql --dbname=vezne --tuples-only --no-align --command='SELECT now()')
sleep 1.1
VEZNE_STAFF_PASSWORD=$(openssl rand -hex 16) vezne staff create --email second@example.com --role finance >/dev/null
after=$(count 25431)
as psql --dbname=vezne --quiet --command='SELECT pg_switch_wal()' >/dev/null
sleep 1.5 # the process looks at its epoch every second

down=$(date +%s)
cp -a base restored
cat >>restored/postgresql.auto.conf <<END
restore_command = 'cp $dir/wal/%f %p'
recovery_target_time = '$until'
recovery_target_action = 'promote'
END
as touch restored/recovery.signal
port=25432
as pg_ctl --pgdata=restored --options="-p $port" --log=restored.pg.log --wait --silent start || fail "the restored server does not start"
tries=0
until [ "$(as psql --dbname=vezne --tuples-only --no-align --command='SELECT pg_is_in_recovery()')" = f ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "the restored server stays in recovery"
    sleep 0.1
done
[ "$(count 25432)" = "$before" ] || fail "restored are $(count 25432) entries of the audit log, at the backup there were $before"

# The lost one still works. A start on the restored one freezes by itself, and takes nobody's place.
serve 25481 25432 restored
await 25481 '"money":"frozen"'
await 25480 '"money":"ok"'
kill "$pid" && wait "$pid" || true
# By an operator's word it is the next epoch, and the lost one is fenced.
vezne restore --reason "a drill" | grep -q 'Frozen: epoch 2' || fail "vezne restore does not freeze"
serve 25481 25432 restored
await 25481 '"money":"frozen"'
await 25480 '"money":"fenced"'
now=$(date +%s)
echo "restore.sh: $(((now - began + 59) / 60)) minutes in all, $((now - down)) seconds from the loss to a frozen installation; $((after - before)) entries of the log are after the backup; the lost database is fenced"
