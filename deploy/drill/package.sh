#!/bin/sh
# Runs in a mount namespace of its own, in an empty folder: package.sh DEB. What is installed goes into an overlay over this machine's root.
set -eu

deb=$1
here=$PWD
if [ "${2:-}" != inside ]; then
    mkdir upper work root
    mount -t overlay overlay -o "lowerdir=/,upperdir=$here/upper,workdir=$here/work" root
    for dir in proc dev sys; do mount --rbind "/$dir" "root/$dir"; done
    mount -t tmpfs tmpfs root/run
    mount -t tmpfs tmpfs root/tmp
    cp "$deb" root/tmp/vezne.deb
    cp "$0" root/tmp/package.sh
    exec chroot root sh -c 'cd /tmp && sh package.sh /tmp/vezne.deb inside'
fi

fail() {
    echo "package.sh: $1" >&2
    exit 1
}
same() { [ "$2" = "$3" ] || fail "$1: $2, want $3"; }
like() { stat -c '%a %U:%G' "$1"; }

export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT
dpkg --force-depends --install "$deb" >/dev/null
same settings "$(like /etc/vezne/vezne.env)" "640 root:vezne"
same folder "$(like /etc/vezne)" "750 root:vezne"
same state "$(like /var/lib/vezne)" "700 vezne:vezne"
for key in master audit; do
    same "$key.key" "$(like /etc/vezne/$key.key)" "640 root:vezne"
    same "bytes of $key.key" "$(base64 -d /etc/vezne/$key.key | wc -c)" 32
done
cmp -s /etc/vezne/master.key /etc/vezne/audit.key && fail "the two keys are one"
same program "$(vezne version | head -n 1)" "vezne v$(dpkg-deb -f "$deb" Version | tr '~' '-')"

# Whoever else is on the machine reads no key and no setting.
setpriv --reuid nobody --regid nogroup --clear-groups cat /etc/vezne/master.key >/dev/null 2>&1 && fail "nobody reads the key"
setpriv --reuid nobody --regid nogroup --clear-groups cat /etc/vezne/vezne.env >/dev/null 2>&1 && fail "nobody reads the settings"

# The unit is right, and what is left open to it is little.
systemd-analyze verify /lib/systemd/system/vezne.service || fail "the unit is wrong"
systemd-analyze security --offline=true --no-pager --threshold=20 /lib/systemd/system/vezne.service >security.txt || fail "$(cat security.txt)"
tail -n 1 security.txt

# Settings that systemd would read otherwise than vezne-admin are refused.
cp -p /etc/vezne/vezne.env before
printf 'VEZNE_TIME_ZONE="Europe/Istanbul"\n' >>/etc/vezne/vezne.env
vezne-admin version >/dev/null 2>said && fail "quotes are taken"
grep -q 'without quotes' said || fail "$(cat said)"
cat before >/etc/vezne/vezne.env

# As the operator's page says: settings, the first login, the service.
{
    echo 'VEZNE_BASE_URL=https://pay.example.com'
    echo 'VEZNE_LISTEN=127.0.0.1:18080'
    echo 'VEZNE_ADMIN_LISTEN=127.0.0.1:18081'
    echo 'VEZNE_TRUSTED_PROXIES=127.0.0.1,::1'
} >>/etc/vezne/vezne.env
echo 'correct-horse-battery' | vezne-admin staff create --email operator@example.com --role admin 2>/dev/null | grep -q operator@example.com || fail "no login is made"
vezne-admin doctor >doctor.txt || fail "$(cat doctor.txt)"

serve() { # as the unit does
    vezne-admin serve 2>log &
    server=$!
    tries=0
    until VEZNE_LISTEN=127.0.0.1:18080 vezne health >ready 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || fail "$(cat log)"
        kill -0 "$server" || fail "$(cat log)"
        sleep 0.1
    done
}
serve
same owner "$(stat -c %U "/proc/$server")" vezne
same database "$(like /var/lib/vezne/vezne.db)" "600 vezne:vezne"
grep -q "$(cat /etc/vezne/master.key)" log && fail "the log has the key"
tr '\0' '\n' <"/proc/$server/environ" | grep -q "$(cat /etc/vezne/master.key)" && fail "the environment has the key"

# A backup of each night is for its owner alone, and goes when it is old.
vezne-backup >said || fail "no backup: $(cat said)"
backup=$(echo /var/backups/vezne/vezne-*.db)
same backup "$(like "$backup")" "600 vezne:vezne"
(cd /var/backups/vezne && sha256sum --status -c "$backup.sha256") || fail "the backup is not what its digest says"
mv "$backup" /var/backups/vezne/vezne-old.db
touch -d '9 days ago' /var/backups/vezne/vezne-old.db
vezne-backup 0 2>/dev/null && fail "a backup is kept for 0 days"
rm "$backup.sha256"
vezne-backup >said || fail "no second backup: $(cat said)"
[ ! -e /var/backups/vezne/vezne-old.db ] || fail "an old backup stays"

# An upgrade takes neither the settings nor the keys, and does not stop what runs.
cp -p /etc/vezne/vezne.env /etc/vezne/master.key /etc/vezne/audit.key .
dpkg --force-depends --install "$deb" >said
grep -q 'vezne-admin migrate up' said || fail "an upgrade does not say what to do: $(cat said)"
kill -0 "$server" || fail "an upgrade stops the service"
for file in vezne.env master.key audit.key; do cmp "$file" "/etc/vezne/$file" || fail "an upgrade changes $file"; done
kill -TERM "$server"
wait "$server" || fail "it does not end well: $(cat log)"

# Purging takes the settings, and nothing that cannot be made again.
dpkg --purge vezne >said
grep -q 'are kept' said || fail "purging does not say what it keeps: $(cat said)"
[ ! -e /etc/vezne/vezne.env ] || fail "purging keeps the settings"
cmp master.key /etc/vezne/master.key || fail "purging takes the master key"
[ -s /var/lib/vezne/vezne.db ] || fail "purging takes the database"
dpkg --force-depends --install "$deb" >/dev/null
cmp master.key /etc/vezne/master.key || fail "a new installation makes another key"
echo "the package holds"
