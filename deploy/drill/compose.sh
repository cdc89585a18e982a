#!/bin/sh
# compose.sh IMAGE PROGRAM COMPOSE: starts a Docker engine of its own in a network of its own, and follows "With compose" of docs/install.md
# there to the first payment (e2e/install). COMPOSE is the program behind `docker compose`. Without a registry the images of PostgreSQL, Redis
# and Caddy cannot be had: Debian's programs stand in for them, under the same names and users, started by the same variables and commands.
set -eu

image=$1
program=$(realpath "$2")
compose=$(realpath "$3")
dir=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$dir"' EXIT

mkdir -p "$dir/checkout/deploy" "$dir/bin" "$dir/docker/cli-plugins"
cp -r deploy/compose deploy/proxy "$dir/checkout/deploy"
rm -rf "$dir/checkout/deploy/compose/secrets" "$dir/checkout/deploy/compose/.env"
ln -s "$program" "$dir/bin/vezne"
ln -s "$compose" "$dir/docker/cli-plugins/docker-compose"
echo "{}" >"$dir/docker/config.json" # buildah wants one
printf '127.0.0.1 localhost pay.localhost\n' >"$dir/hosts"

# A container has this machine's /usr, and of its own what follows.
root=$dir/root
mkdir -p "$root/usr" "$root/etc/caddy" "$root/etc/ssl/certs" "$root/tmp" "$root/run/secrets" "$root/run/postgresql" "$root/var/lib/postgresql/data" "$root/data" "$root/config"
chmod 1777 "$root/tmp"
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
ln -s ../run "$root/var/run"
printf 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/var/lib/postgresql:/bin/sh\nredis:x:998:998::/data:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\npostgres:x:999:\nredis:x:998:\n' >"$root/etc/group"
chown 999:999 "$root/var/lib/postgresql/data"
cat >"$root/postgres" <<'END'
#!/bin/sh
set -eu
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
    initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --encoding=UTF8 --locale=C.UTF-8 --auth-host=scram-sha-256 --pgdata="$data"
    echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
    echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D "$data" postgres
fi
exec postgres -D "$data" -c listen_addresses='*'
END
chmod 0755 "$root/postgres"
cat >"$dir/checkout/deploy/compose/machine.yaml" <<'END'
services:
  postgres: { volumes: ["/usr:/usr:ro"] }
  redis: { volumes: ["/usr:/usr:ro"] }
  proxy: { volumes: ["/usr:/usr:ro"] }
END

DIR=$dir VEZNE_TEST_CHECKOUT=$dir/checkout VEZNE_TEST_VERSION=${image##*:} \
    PATH=$dir/bin:$PATH:/usr/sbin:/sbin DOCKER_CONFIG=$dir/docker COMPOSE_FILE=compose.yaml:machine.yaml \
    unshare --mount --net --pid --fork --kill-child --mount-proc sh -c '
    set -eu
    ip link set lo up
    mount -t tmpfs tmpfs /run
    mount --bind "$DIR/hosts" /etc/hosts
    dockerd --data-root "$DIR/data" >"$DIR/engine.log" 2>&1 &
    tries=0
    until docker version >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ "$tries" -ge 300 ]; then
            tail -n 30 "$DIR/engine.log" >&2
            exit 1
        fi
        sleep 0.1
    done
    path="ENV PATH=$(echo /usr/lib/postgresql/*/bin):/usr/sbin:/usr/bin:/sbin:/bin"
    of() { # IMAGE what else it has
        name=$1
        shift
        tar -C "$DIR/root" -c . | docker import --change "$path" "$@" - "$name" >/dev/null
    }
    for name in $(sed -n "s/^ *image: \(docker.io.*\)/\1/p" deploy/compose/compose.yaml); do
        case $name in
        */postgres:*) of "$name" --change "ENTRYPOINT [\"/postgres\"]" ;;
        */redis:*) of "$name" --change "WORKDIR /data" ;;
        */caddy:*) of "$name" --change "ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data" --change "CMD [\"caddy\", \"run\", \"--config\", \"/etc/caddy/Caddyfile\"]" ;;
        esac
    done
    # Whoever calls over TLS trusts whom Caddy has asked for its certificate.
    authority=$DIR/data/volumes/vezne_certificates/_data/caddy/pki/authorities/local/root.crt
    SSL_CERT_FILE=$authority CURL_CA_BUNDLE=$authority go test -tags drill -vet=off -count=1 -v ./e2e/install -run TestDrillCompose
'
