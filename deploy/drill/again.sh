#!/bin/sh
# again.sh: builds the released programs once more, from the commit and in another folder: they have to be the same bytes.
# TOP is the checkout, LDFLAGS what goreleaser has told the linker.
set -eu

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
git -c 'safe.directory=*' -C "$TOP" archive HEAD | tar -x -C "$dir"
cd "$dir"
for released in "$TOP"/dist/vezne_linux_*/vezne; do
    case $released in
    *_amd64_*) arch=amd64 ;;
    *_arm64_*) arch=arm64 ;;
    *) continue ;;
    esac
    GOOS=linux GOARCH=$arch CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "$LDFLAGS" -o again ./cmd/vezne
    cmp "$released" again
    sha256sum again | cut -c1-64
done
(cd "$TOP/dist" && sha256sum --check --quiet SHA256SUMS)
