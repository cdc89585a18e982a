#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, once: what is there is kept, since the database opens with no other.
# Keep a copy of master_key and audit_key apart from the database.
set -eu
cd "$(dirname "$0")"

# Containers read a file as who they are, so that files are readable by all, in a folder that nobody else may enter.
umask 022
mkdir -p secrets
chmod 0700 secrets

put() {
    if [ ! -e "secrets/$1" ]; then
        printf '%s\n' "$2" >"secrets/$1.new"
        mv "secrets/$1.new" "secrets/$1"
    fi
}

random() { head -c 32 /dev/urandom | base64; }
password() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }

put master_key "$(random)"
put audit_key "$(random)"
put postgres_password "$(password)"
put redis_password "$(password)"
put database_url "postgres://vezne:$(cat secrets/postgres_password)@postgres:5432/vezne?sslmode=disable"
put redis_url "redis://:$(cat secrets/redis_password)@redis:6379/0"
put redis_conf "requirepass $(cat secrets/redis_password)
save \"\"
appendonly no
maxmemory 400mb
maxmemory-policy noeviction"
