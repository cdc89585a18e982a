#!/bin/sh
# proxy.sh PROGRAM: serves behind the Caddyfile, nginx.conf and haproxy.cfg, with certificates made here, and asks through each.
set -eu

program=$(realpath "$1")
files=$(realpath "$(dirname "$0")/../proxy")
dir=$(mktemp -d)
cd "$dir"
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || true; done; wait; rm -rf "$dir"' EXIT

fail() {
    echo "proxy.sh: $1" >&2
    tail -n 20 ./*.log >&2 || true
    exit 1
}
await() { # until a command ends well
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || fail "in vain: $*"
        sleep 0.1
    done
}

# Caddy keeps its certificates where XDG_DATA_HOME says; all proxies serve the same one here.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=pay.example.com \
    -addext subjectAltName=DNS:pay.example.com -keyout privkey.pem -out fullchain.pem 2>/dev/null
chmod 0644 privkey.pem

export VEZNE_LISTEN=127.0.0.1:28080
env VEZNE_ADMIN_LISTEN=127.0.0.1:28081 VEZNE_BASE_URL=https://pay.example.com VEZNE_TRUSTED_PROXIES=127.0.0.1 VEZNE_LOG_FORMAT=json \
    "$program" serve 2>vezne.log &
pids="$pids $!"
await "$program" health

env XDG_DATA_HOME="$dir" XDG_CONFIG_HOME="$dir" PUBLIC_HOST=pay.example.com UPSTREAM="$VEZNE_LISTEN" \
    CADDY_OPTIONS="https_port 28443
http_port 28082
skip_install_trust" CADDY_SITE_OPTIONS="tls $dir/fullchain.pem $dir/privkey.pem" \
    caddy run --config "$files/Caddyfile" --adapter caddyfile >caddy.log 2>&1 &
pids="$pids $!"

sed -e "s|/etc/ssl/vezne|$dir|; s|listen 80;|listen 127.0.0.1:29082;|; s|listen 443 ssl|listen 127.0.0.1:29443 ssl|; s|server 127.0.0.1:8080|server $VEZNE_LISTEN|" \
    "$files/nginx.conf" >site.conf
cat >nginx.conf <<EOF
pid $dir/nginx.pid;
error_log $dir/nginx.log;
daemon off;
events {}
http {
    access_log off;
    client_body_temp_path $dir/body;
    proxy_temp_path $dir/proxy;
    fastcgi_temp_path $dir/fastcgi;
    uwsgi_temp_path $dir/uwsgi;
    scgi_temp_path $dir/scgi;
    include $dir/site.conf;
}
EOF
nginx -t -c "$dir/nginx.conf" 2>nginx-test.log || fail "nginx refuses its configuration"
nginx -c "$dir/nginx.conf" &
pids="$pids $!"

cat fullchain.pem privkey.pem >haproxy.pem
env VEZNE_HTTP=127.0.0.1:27082 VEZNE_HTTPS=127.0.0.1:27443 VEZNE_CERTIFICATE="$dir/haproxy.pem" \
    VEZNE_API1="$VEZNE_LISTEN" VEZNE_API2=127.0.0.1:1 VEZNE_API3=127.0.0.1:1 \
    haproxy -db -f "$files/haproxy.cfg" >haproxy.log 2>&1 &
pids="$pids $!"

for proxy in caddy:28443 nginx:29443 haproxy:27443; do
    name=${proxy%:*} port=${proxy#*:}
    ask() { curl --silent --show-error --max-time 20 --cacert fullchain.pem --interface 127.0.0.2 --resolve "pay.example.com:$port:127.0.0.1" "$@"; }
    await ask --fail --output /dev/null "https://pay.example.com:$port/docs/"
    status() { ask --output /dev/null --write-out '%{http_code}' "$@"; }
    for path in healthz readyz metrics debug/pprof/ %72eadyz; do
        [ "$(status "https://pay.example.com:$port/$path")" = 404 ] || fail "$name exposes /$path"
    done
    ask --head "https://pay.example.com:$port/docs/" | grep -qi '^strict-transport-security:' || fail "behind $name browsers are not told to come over TLS"
    # A customer who writes an address into the header is still who they are: 127.0.0.2 here.
    [ "$(status --header 'X-Forwarded-For: 203.0.113.7' --header 'X-Forwarded-For: 203.0.113.8' "https://pay.example.com:$port/pay/$name-forged")" != 000 ] || fail "$name does not answer"
    line=$(grep "$name-forged\|/pay/" vezne.log | tail -n 1)
    case $line in
    *'"addr":"127.0.0.2"'*) ;;
    *) fail "behind $name the client's address is not that of the client: $line" ;;
    esac
    # A subscription is a WebSocket: the proxy lets it be one.
    said=$(ask --http1.1 --include --no-buffer --max-time 3 --header 'Connection: Upgrade' --header 'Upgrade: websocket' --header "Origin: https://pay.example.com:$port" \
        --header 'Sec-WebSocket-Version: 13' --header 'Sec-WebSocket-Key: dmV6bmUtZHJpbGwta2V5IQ==' \
        --header 'Sec-WebSocket-Protocol: graphql-transport-ws' "https://pay.example.com:$port/graphql" 2>/dev/null | head -n 1 || true)
    case $said in
    *' 101 '*) ;;
    *) fail "$name passes no WebSocket: $said" ;;
    esac
    echo "$name holds"
done
