#!/bin/sh
# bare.sh DEB: makes a bare Debian, starts it by systemd in a network of its own, and follows docs/install.md there from its first command
# to the first payment, and docs/operators.md to the restored backup (e2e/install). It prints how long that took.
set -eu

deb=$(realpath "$1")
top=$PWD
dir=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "bare.sh: $1" >&2
    tail -n 30 "$dir"/*.log >&2 || true
    exit 1
}

# What Debian 12 has without anybody having chosen anything, and what the page installs, which is in apt's cache: the network is cut off then.
mmdebstrap --quiet --variant=important --include=ca-certificates bookworm "$dir/root" >"$dir/made.log" 2>&1 || fail "there is no Debian"
cp "$deb" "$dir/root/root/vezne_1.0.0_amd64.deb"
chroot "$dir/root" sh -c 'apt-get -q update && cd /root &&
    DEBIAN_FRONTEND=noninteractive apt-get -q --yes --download-only install ./vezne_1.0.0_amd64.deb postgresql redis-server caddy prometheus curl openssl
' >"$dir/packages.log" 2>&1 || fail "the packages cannot be had"
printf '127.0.0.1 localhost pay.localhost\n127.0.1.1 bare\n' >"$dir/hosts"
echo bare >"$dir/root/etc/hostname"
cp "$dir/hosts" "$dir/root/etc/hosts"

VEZNE_TEST_ROOT=$dir/root HOSTS=$dir/hosts TOP=$top unshare --net --mount sh -c '
    set -eu
    ip link set lo up
    mkdir -p /run/systemd/nspawn
    mount -t tmpfs tmpfs /run/systemd/nspawn
    mount --bind "$HOSTS" /etc/hosts
    cd "$TOP"
    # Whoever calls over TLS trusts whom Caddy has asked for its certificate.
    SSL_CERT_FILE=$VEZNE_TEST_ROOT/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt go test -tags drill -vet=off -count=1 -v ./e2e/install -run TestDrillInstall
'
