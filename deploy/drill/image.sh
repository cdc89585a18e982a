#!/bin/sh
# image.sh IMAGE: looks at the image and runs it without a root, without rights and without a way to write.
set -eu

image=$1
fail() {
    echo "image.sh: $1" >&2
    exit 1
}
buildah() { command buildah --storage-driver vfs "$@"; }

config=$(buildah inspect --type image --format '{{.Docker.Config.User}} {{.Docker.Config.Entrypoint}} {{.Docker.Config.Healthcheck.Test}}' "$image")
[ "$config" = '65532:65532 [/usr/bin/vezne] [CMD /usr/bin/vezne health]' ] || fail "the image is made for $config"
container=$(buildah from --pull-never "$image")
trap 'buildah rm "$container" >/dev/null' EXIT
root=$(buildah mount "$container")
files=$(cd "$root" && find . -type f | sort | tr '\n' ' ')
[ "$files" = './etc/ssl/certs/ca-certificates.crt ./usr/bin/vezne ' ] || fail "the image has $files"
[ -z "$(find "$root" -perm /6022 ! -type l)" ] || fail "somebody may write to the image, or becomes another: $(find "$root" -perm /6022 ! -type l)"
buildah run --isolation chroot --cap-drop all "$container" -- /usr/bin/vezne version
if buildah run --isolation chroot --cap-drop all "$container" -- /usr/bin/vezne health 2>/dev/null; then fail "a server that does not run is healthy"; fi
echo "the image holds"
