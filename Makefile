# Everything that a person or the CI machine does with this repository.
# `make` alone lists the targets. Needs GNU make and Go; `race` also needs gcc.

GOLANGCI_LINT_VERSION := v2.15.0
# The newest that Go 1.26 builds and whose modules can all be had.
GORELEASER_VERSION    := v2.15.1
CYCLONEDX_VERSION     := v1.10.0
COMPOSE_VERSION       := v2.40.3

# What may be given on the command line: make test PKG=./core/... TESTFLAGS=-v
PKG       ?= ./...
TESTFLAGS ?=
ARGS      ?=

# A clone may belong to another user than the one who builds (containers, CI):
# git then refuses to answer, and Go's own version stamp would fail the build.
GIT     := git -c safe.directory=*
VERSION ?= $(shell $(GIT) describe --tags --dirty 2>/dev/null || echo dev)
# The time is the commit's, so that building a commit again makes the same bytes.
COMMIT  := $(shell $(GIT) rev-parse HEAD 2>/dev/null)
DATE    := $(shell TZ=UTC0 $(GIT) log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null)
IMAGE   ?= localhost/vezne:$(VERSION)
PROGRAM := github.com/vezne/vezne/cmd/vezne/program
# -s -w: no table of symbols and no debugging information, a quarter of the file. Stack traces and profiles do not need them.
LDFLAGS := -s -w -X $(PROGRAM).version=$(VERSION) -X $(PROGRAM).commit=$(COMMIT) -X $(PROGRAM).date=$(DATE)

# Pure Go everywhere, so that a C compiler is needed for the race detector only.
export CGO_ENABLED := 0
# Without its path in what is compiled, a second checkout finds what the first has compiled.
export GOFLAGS     := $(strip $(shell go env GOFLAGS) -buildvcs=false -trimpath)

# The linter has to be built by the Go that it checks for, so the path names both.
GO_VERSION := $(firstword $(shell go env GOVERSION))
LINT_DIR   := bin/tools/golangci-lint-$(GOLANGCI_LINT_VERSION)-$(GO_VERSION)
LINT       := $(LINT_DIR)/golangci-lint

GORELEASER_DIR := bin/tools/goreleaser-$(GORELEASER_VERSION)-$(GO_VERSION)
GORELEASER     := $(GORELEASER_DIR)/goreleaser
CYCLONEDX_DIR  := bin/tools/cyclonedx-gomod-$(CYCLONEDX_VERSION)-$(GO_VERSION)
CYCLONEDX      := $(CYCLONEDX_DIR)/cyclonedx-gomod
COMPOSE_DIR    := bin/tools/compose-$(COMPOSE_VERSION)-$(GO_VERSION)
COMPOSE        := $(COMPOSE_DIR)/docker-compose

TESTENV := go run ./cmd/testenv

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL: # verify's steps read what the one before has written
.PHONY: help build demo run test test-all screenshots release image drill drilled drill-ha race bench simulate cover generate console fmt vet lint tidy arch verify verify-generated clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

## Build and run

build: ## build bin/vezne
	go build -ldflags '$(LDFLAGS)' -o bin/vezne ./cmd/vezne

demo: build ## build and run the demo: everything in one process, nothing to configure
	bin/vezne demo $(ARGS)

run: build ## build and run the server (ARGS='--help' for its options)
	bin/vezne serve $(ARGS)

# goreleaser asks git by itself: for the commit, and where the repository is from, which a copy without a remote does not know.
release: export GIT_CONFIG_COUNT := 2
release: export GIT_CONFIG_KEY_0 := safe.directory
release: export GIT_CONFIG_VALUE_0 := *
release: export GIT_CONFIG_KEY_1 := remote.origin.url
release: export GIT_CONFIG_VALUE_1 := https://github.com/vezne/vezne
release: $(GORELEASER) $(CYCLONEDX) ## make a release in dist: programs, archives, Debian packages, components, checksums. Nothing is published
	$(GORELEASER) check --quiet --config deploy/goreleaser.yaml
	PATH="$(CURDIR)/$(CYCLONEDX_DIR):$$PATH" $(GORELEASER) release --snapshot --clean --config deploy/goreleaser.yaml

image: release ## make the container image of what release has made, localhost/vezne:VERSION (needs buildah)
	rm -rf dist/image && mkdir -p dist/image
	cp deploy/Dockerfile dist/vezne_linux_amd64_v1/vezne /etc/ssl/certs/ca-certificates.crt dist/image/
	buildah --storage-driver vfs bud --isolation chroot --format docker --timestamp $(shell $(GIT) log -1 --format=%ct) \
		--build-arg VERSION=$(VERSION) --build-arg REVISION=$(COMMIT) -t $(IMAGE) dist/image

## Test

# What goreleaser tells the linker in a snapshot: the version is that of its metadata.
RELEASED = $(shell sed -n 's/.*"version":"\([^"]*\)".*/\1/p' dist/metadata.json)

# As root on Debian 12, from which Caddy, nginx, buildah, lintian and the Docker engine come. No cluster is needed: the chart is read as
# Kubernetes reads it.
drill: ## try what deploys Vezne for real: package, image, compose, proxies, many machines; the chart is checked (needs root)
	cd deploy/check && go test -count=1 -vet=off -ldflags='-s -w' ./...
	$(TESTENV) -need postgres,redis,buildah,lintian,caddy,nginx,haproxy,promtool,curl,openssl,mmdebstrap,systemd-nspawn,dockerd,qemu -- $(MAKE) --no-print-directory drilled
	$(MAKE) --no-print-directory drill-ha

# How long Redis is gone in the drill WithoutRedis.
GONE ?= 30s

# Each prints a line: drill NAME: answered N, lost 0, doubled 0, refused for S s, p99 M ms.
drill-ha: ## the part of drill in which machines fail under load, and what was answered is counted (ARGS=Failover for one)
	$(TESTENV) -need postgres,redis,haproxy,patroni,etcd,pgbouncer -- env VEZNE_TEST_REDIS_GONE=$(GONE) go test -tags drill -vet=off -count=1 -v -timeout 30m $(TESTFLAGS) ./e2e/machines -run 'TestDrill$(ARGS)'

drilled: image $(COMPOSE) # part of drill: what it runs when all is installed
	TOP=$(CURDIR) LDFLAGS='-s -w -X $(PROGRAM).version=v$(RELEASED) -X $(PROGRAM).commit=$(COMMIT) -X $(PROGRAM).date=$(DATE)' deploy/drill/again.sh
	lintian --allow-root --fail-on error,warning dist/vezne_*_amd64.deb
	dir=$$(mktemp -d -p /dev/shm) && cd $$dir && unshare --mount $(CURDIR)/deploy/drill/package.sh $(CURDIR)/dist/vezne_*_amd64.deb; code=$$?; rm -rf $$dir; exit $$code
	deploy/drill/bare.sh dist/vezne_*_amd64.deb
	deploy/drill/arm64.sh dist/vezne_linux_arm64_v8.0/vezne
	deploy/drill/roles.sh dist/vezne_linux_amd64_v1/vezne
	deploy/drill/restore.sh dist/vezne_linux_amd64_v1/vezne
	dist/vezne_linux_amd64_v1/vezne drill restore
	deploy/drill/alerts.sh dist/vezne_linux_amd64_v1/vezne
	deploy/drill/proxy.sh dist/vezne_linux_amd64_v1/vezne
	deploy/drill/image.sh $(IMAGE)
	deploy/drill/compose.sh $(IMAGE) dist/vezne_linux_amd64_v1/vezne $(COMPOSE)

# The examples of frameworks that npm has. The library is copied into theirs, as into a shop's.
EXAMPLES := express next

sdk/examples/%/node_modules/.package-lock.json: sdk/examples/%/package-lock.json sdk/examples/%/package.json sdk/examples/%/.npmrc sdk/typescript/vezne.mjs
	$(TESTENV) -need node -- sh -c 'cd sdk/examples/$* && npm ci'

# The packages that take longest come first: one that begins last has the machine to itself for as long as it takes.
# They wait as much as they work, so that three packages keep two processors busy. What vet has to say is said by verify.
LONGEST := ./adapters/bunstore ./e2e/gateways ./e2e/operations ./e2e/wallets ./e2e/payments ./e2e/backoffice ./adapters/asynqqueue ./adapters/redisevents ./graph ./app/operation
# Test binaries without debugging information link in half the time.
GO_TEST := go test -vet=off -ldflags='-s -w' -p 3 -timeout 10m $(TESTFLAGS)
# Tests and what they start end soon: collecting their garbage less often saves a quarter of their processor time.
test test-all: export GOGC := 400

# A test that needs a browser is called TestBrowser…, one of how very large tables are read has LargeTable in its name.
# One that makes weeks of payments up is called TestDemoPast…, one that compiles
# programs TestToolchain…, one that stops, freezes or empties servers of its own TestOutage….
# test leaves all of these out (-short), tries a fifth of the cases of each property, which are other ones in each run, and each end-to-end
# test on one of the two kinds of installations, which its name decides. The drill of a restore it leaves to drilled.
test: ## run the tests against a throwaway PostgreSQL and Redis
	$(TESTENV) -need postgres,redis,curl,node,php,python,mono -- $(GO_TEST) -short -skip 'Browser|LargeTable|DemoPast|Toolchain|Outage' $(if $(filter ./...,$(PKG)),$(LONGEST)) $(PKG)

# Every screen of the console, in both languages and themes on a phone and a desktop, takes longer than ten minutes beside others.
# Browsers and large tables work more than they wait: two packages at once keep two processors busy, and a third would only make all wait.
test-all: $(EXAMPLES:%=sdk/examples/%/node_modules/.package-lock.json) ## run all of them: in a real browser, on very large tables and with the toolchain too, and every property a hundred times
	$(TESTENV) -- $(GO_TEST) -p 2 -timeout 40m $(if $(filter ./...,$(PKG)),./adapters/paypage $(LONGEST)) $(PKG)

screenshots: ## keep a picture of every screen of the console in bin/screenshots: both languages and themes, phone and desktop
	@mkdir -p bin/screenshots
	$(TESTENV) -- env VEZNE_TEST_SCREENSHOTS=$(CURDIR)/bin/screenshots go test -tags screenshots -count=1 -timeout 30m ./e2e/backoffice -run TestBrowserEveryScreen $(TESTFLAGS)

race: ## the same with the race detector, on core and adapters (needs gcc)
	$(TESTENV) -- env CGO_ENABLED=1 go test -race -timeout 15m $(TESTFLAGS) ./core/... ./adapters/...

bench: ## measure throughput and latency (ARGS for the benchmark's options)
	$(TESTENV) -durable -need postgres,redis,chromium -- go run ./cmd/bench $(ARGS)

simulate: ## look for defects in ten thousand simulated worlds (ARGS for its options), and for those that are put back
	go build -o bin/simulate ./cmd/simulate
	bin/simulate -seeds 10000 $(ARGS)
	bin/simulate -seeds 2000 -mutants

cover: $(EXAMPLES:%=sdk/examples/%/node_modules/.package-lock.json) ## run the tests and write coverage.out and coverage.html
	$(TESTENV) -- go test -timeout 15m -coverpkg=./... -coverprofile=coverage.out $(PKG)
	go tool cover -html=coverage.out -o coverage.html
	go tool cover -func=coverage.out | tail -n 1

## Check

generate: console ## write the generated files anew (installs Node.js where it is missing)
	go generate ./...

# One build writes everything that comes from npm packages: console/dist, the files of /docs and /graphiql, axe-core.
console: console/node_modules/.package-lock.json ## check the types of the console and of sdk/typescript, and build the console anew (likewise)
	$(TESTENV) -need node -- npm --prefix console run build
	$(TESTENV) -need node -- npm --prefix console run check

console/node_modules/.package-lock.json: console/package-lock.json console/package.json console/thirdparty/package.json console/.npmrc
	$(TESTENV) -need node -- sh -c 'cd console && npm ci'

fmt: $(LINT) ## format all Go files
	$(LINT) fmt

vet: ## go vet
	go vet ./...
	go vet -tags drill,screenshots ./e2e/...

lint: $(LINT) ## run the linters (.golangci.yml)
	$(LINT) run

tidy: ## check that go.mod and go.sum say what the code needs
	go mod tidy -diff

arch: ## check who imports whom
	@output=$$(go test -count=1 -v -run Arch ./core) || { echo "$$output"; exit 1; }; \
	echo "$$output" | grep '^--- PASS' || { echo 'no Arch test has run in ./core' >&2; exit 1; }

verify: verify-generated vet lint tidy arch ## all checks but the tests; fails on stale generated files

# Compares the files before and after instead of asking git for a difference, so
# that it is as good with uncommitted work as in a fresh clone.
SNAPSHOT = $(GIT) ls-files -z --cached --others --exclude-standard | sort -zu | xargs -0 sha256sum 2>/dev/null

verify-generated: # part of verify: generated files and formatting are up to date
	@mkdir -p bin
	@$(SNAPSHOT) > bin/before.sum || true
	$(MAKE) --no-print-directory generate
	@$(SNAPSHOT) > bin/after.sum || true
	@test -s bin/before.sum || { echo 'git lists no files: is this a clone?' >&2; exit 1; }
	@diff bin/before.sum bin/after.sum || { echo 'generated files are stale: commit what "make generate" has just written' >&2; exit 1; }
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not gofmt'd, run \"make fmt\":" $$unformatted >&2; exit 1; }

$(LINT):
	GOTOOLCHAIN=$(GO_VERSION) GOBIN=$(CURDIR)/$(LINT_DIR) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)

$(GORELEASER):
	GOTOOLCHAIN=$(GO_VERSION) GOBIN=$(CURDIR)/$(GORELEASER_DIR) go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)

$(CYCLONEDX):
	GOTOOLCHAIN=$(GO_VERSION) GOBIN=$(CURDIR)/$(CYCLONEDX_DIR) go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)

# Its module excludes versions, so that `go install` does not take it: a module of our own asks for it.
$(COMPOSE):
	mkdir -p $(COMPOSE_DIR) && cd $(COMPOSE_DIR) && rm -f go.mod go.sum && export GOTOOLCHAIN=$(GO_VERSION) && \
		go mod init compose && go get github.com/docker/compose/v2/cmd@$(COMPOSE_VERSION) && \
		go build -ldflags='-s -w' -o docker-compose github.com/docker/compose/v2/cmd

clean: ## remove what the targets have made
	rm -rf bin dist coverage.out coverage.html console/node_modules console/thirdparty/node_modules $(EXAMPLES:%=sdk/examples/%/node_modules) sdk/examples/next/.next
