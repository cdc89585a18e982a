#!/bin/sh
# arm64.sh PROGRAM: runs a program for arm64 under an emulator of that processor: a demo on SQLite, and one deposit in it from the signed
# request to the signed callback. What only a real arm64 shows (its speed, how its processors order memory) this does not show.
set -eu

program=$(realpath "$1")
dir=$(mktemp -d)
cd "$dir"
pid=
trap 'test -z "$pid" || { kill "$pid" 2>/dev/null || true; wait; }; rm -rf "$dir"' EXIT

fail() {
    echo "arm64.sh: $1" >&2
    tail -n 20 ./*.log >&2 || true
    exit 1
}
vezne() { qemu-aarch64-static "$program" "$@"; }
await() { # FAILURE command: until the command succeeds
    failure=$1
    shift
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || fail "$failure"
        sleep 0.1
    done
}

vezne version | tee version.log | grep -q 'for linux/arm64$' || fail "it is a program for another processor"
VEZNE_ADMIN_LISTEN=off qemu-aarch64-static "$program" demo --listen 127.0.0.1:18064 --past=0 >demo.log 2>&1 &
pid=$!
await "the demo is never ready" curl -sf http://127.0.0.1:18064/readyz
deposit=$(vezne trigger deposit.completed --demo demo-data) || fail "no deposit is made and completed"
code=$(echo "$deposit" | sed -n 's/^deposit.completed //p')
[ -n "$code" ] || fail "the deposit has no tracking code: $deposit"
await "no signed callback says that $code is completed" grep -q "tracking_code=$code status=completed is_signature_right=true" demo.log
kill -TERM "$pid"
wait "$pid" || fail "the demo does not stop as it should"
pid=
echo "the program for arm64 runs, and $code was paid and called back"
