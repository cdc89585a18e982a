package core_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestArchitecture holds the module to the tiers of the plan. It parses import lists itself, for a test that asks
// the go command is answered from the test cache and misses what has changed.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	tree := moduleTree(t)
	for _, violation := range tree.violations() {
		t.Error(violation)
	}
	for _, violation := range impurities(tree, newLibrary(t, tree)) {
		t.Error(violation)
	}
}

// folders are the top-level folders in their order: what is built imports its own and those before it. Tests are outside of it: those of
// app and adapters run over e2e/apptest, which puts the use cases on the real store.
func folders() []string {
	return []string{"migrations", "core", "ports", "plugins", "app", "adapters", "console", "graph", "docs", "sdk", "e2e", "cmd"}
}

// TestNoArrowRunsUp: of two top-level folders one never imports the other.
func TestNoArrowRunsUp(t *testing.T) {
	t.Parallel()
	for _, arrow := range moduleTree(t).arrowsUp() {
		t.Error(arrow)
	}
}

func (m *tree) arrowsUp() []string {
	var list []string
	place := func(folder string) int {
		top, _, _ := strings.Cut(folder, "/")
		return slices.Index(folders(), top)
	}
	for _, f := range m.files {
		for _, i := range f.imports {
			folder, isOwn := m.folderOf(i.path)
			if isOwn && !f.isTest && (place(f.folder) < place(folder) || min(place(f.folder), place(folder)) < 0) {
				list = append(list, fmt.Sprintf("%s:%d imports %s: the arrow runs up", f.path, i.line, i.path))
			}
		}
	}
	return list
}

// room is where a package stands in the plan, as roomOf finds it.
type room string

const (
	coreRoom       room = "core"
	coreKitRoom    room = "core/coretest" // what the tests of its subjects share
	portsRoom      room = "ports"
	kitRoom        room = "conformance kits" // ports/<kit>
	appRoom        room = "app"              // what the areas share
	areaRoom       room = "use cases"        // app/<area>
	apptestRoom    room = "e2e/apptest"      // above app and adapters, whose tests alone import it
	storeTestRoom  room = "adapters/bunstore/sqlitetest"
	drivingRoom    room = "driving adapters"
	drivenRoom     room = "driven adapters"
	clientRoom     room = "adapters/dialguard" // what the HTTP clients among them share
	pictureRoom    room = "adapters/qrcode"    // what the pages for people share
	pluginsRoom    room = "plugins"            // what every gateway shares: plugins, plugins/plugkit
	gatewayRoom    room = "gateways"
	gatewayKitRoom room = "plugins/conformance"
	gatewaysRoom   room = "plugins/all"  // the one list
	restKitRoom    room = "e2e/resttest" // likewise
	axeRoom        room = "console/axe"  // axe-core, for tests in a browser
	migrationsRoom room = "migrations"
	cmdRoom        room = "cmd"
	e2eRoom        room = "e2e"
	noRoom         room = "elsewhere"
)

// simulator is the command that is a test itself.
const simulator = "cmd/simulate"

// roomOf finds a package's room and its part of it. Parts of a room are apart: one use-case area, one adapter or one
// gateway does not import another.
func roomOf(folder string) (room, string) {
	dirs := append(strings.Split(folder, "/"), "", "")
	switch top, second := dirs[0], dirs[1]; {
	case top == "app":
		return appRoomOf(second)
	case folder == string(coreKitRoom), strings.HasPrefix(folder, string(coreKitRoom)+"/"):
		return coreKitRoom, ""
	case top == "core":
		return coreRoom, ""
	case top == "ports" && second == "":
		return portsRoom, ""
	case top == "ports":
		return kitRoom, ""
	case top == "adapters" && (second == "rest" || second == "paypage"):
		return drivingRoom, second
	case folder == string(axeRoom):
		return axeRoom, ""
	case top == "graph" || top == "console":
		return drivingRoom, top
	case folder == string(storeTestRoom):
		return storeTestRoom, ""
	case top == "adapters" && second == "dialguard":
		return clientRoom, ""
	case top == "adapters" && second == "qrcode":
		return pictureRoom, ""
	case top == "adapters":
		return drivenRoom, second
	case top == "plugins":
		return pluginRoomOf(second)
	case top == "migrations":
		return migrationsRoom, ""
	case top == "cmd":
		return cmdRoom, second
	case folder == string(apptestRoom):
		return apptestRoom, ""
	case folder == string(restKitRoom):
		return restKitRoom, ""
	case top == "e2e":
		return e2eRoom, ""
	default:
		return noRoom, ""
	}
}

func appRoomOf(area string) (room, string) {
	switch area {
	case "", "internal":
		return appRoom, ""
	default:
		return areaRoom, area
	}
}

func pluginRoomOf(name string) (room, string) {
	switch name {
	case "", "plugkit":
		return pluginsRoom, ""
	case "conformance":
		return gatewayKitRoom, ""
	case "all":
		return gatewaysRoom, ""
	default:
		return gatewayRoom, name
	}
}

// subjects are the folders of core, each of which may know those before it. What has no subject is the kernel, in core
// itself; what is before it is a vocabulary of its own.
func subjects() []string {
	return []string{
		"core/fault", "core/money", "core/iban", "core/sign", "core/lang", "core/gateway", "core", "core/audit", "core/ledger", "core/staff",
		"core/owner", "core/payment", "core/testplan", "core/note", "core/discrepancy", "core/routing", "core/notification", "core/operation", "core/epoch", "core/decision", "core/wallet", "core/dispute", "core/report",
		"core/approval",
	}
}

// areas are the subjects of use cases in their order. Small rooms beside them know none.
func areas() []string {
	return []string{"staff", "access", "owner", "payment", "operation", "testplan", "wallet", "dispute", "report", "approval", "restore", "once", "command"}
}

// isAreaBefore reports whether a subject of use cases may know another.
func isAreaBefore(to, from string) bool {
	i, k := slices.Index(areas(), to), slices.Index(areas(), from)
	return i >= 0 && i < k
}

// offenceOfSubjects judges imports within core.
func offenceOfSubjects(from, to string) string {
	if i, k := slices.Index(subjects(), from), slices.Index(subjects(), to); i < 0 || k < 0 {
		return "a folder of core has its place in the order of subjects, which core/arch_test.go lists"
	} else if k > i {
		return "a subject knows those before it only: what both need moves down"
	}
	return ""
}

// rule is what a room may import of this module, besides its own part, and which modules of others. Why is said to
// whoever breaks it.
type rule struct {
	rooms   []room
	modules []string // import path prefixes; nil: any
	why     string
}

// The modules that pure rooms may import. What these import themselves is held to the
// same rule by impurities.
func coreModules() []string {
	return []string{
		"github.com/ericlagergren/decimal", "github.com/jacoelho/banking", "golang.org/x/crypto/sha3",
		"golang.org/x/text/language",
	}
}

func appModules() []string { return append(coreModules(), "golang.org/x/crypto/argon2") }

func testModules() []string { return []string{"pgregory.net/rapid", "github.com/google/go-cmp"} }

func rules() map[room]rule {
	return map[room]rule{
		coreRoom: {[]room{coreRoom}, coreModules(),
			"tier 0 is the vocabulary, plain data and pure rules: it imports tier 0, the standard library and the modules listed in coreModules"},
		coreKitRoom: {[]room{coreRoom}, testModules(), "the tests of tier 0 share what tier 0 decides, and nothing from outside"},
		portsRoom: {[]room{coreRoom}, []string{},
			"a port is an interface over core types and knows nothing else"},
		kitRoom: {[]room{coreRoom, portsRoom, kitRoom}, testModules(),
			"a conformance kit asks only what the port promises, so that every adapter can be held to it"},
		appRoom: {[]room{coreRoom, portsRoom, appRoom}, appModules(),
			"use cases know tier 0 and ports; what several areas share knows none of them"},
		areaRoom: {[]room{coreRoom, portsRoom, appRoom}, appModules(),
			"a subject of use cases knows those before it only: what two of them share moves down to core or app"},
		apptestRoom: {[]room{coreRoom, portsRoom, kitRoom, appRoom, areaRoom, apptestRoom, drivenRoom, storeTestRoom, gatewayRoom}, nil,
			"the test world puts the services on the real store and the sandbox, with fakes of what else is outside, and on nothing else"},
		storeTestRoom: {[]room{coreRoom, portsRoom, drivenRoom}, nil, "a store for a test knows the store and nothing else"},
		drivingRoom: {[]room{coreRoom, appRoom, areaRoom, pictureRoom}, nil,
			"a driving adapter holds use-case services: ports are for the driven side, and an adapter never imports another adapter"},
		drivenRoom: {[]room{coreRoom, portsRoom, migrationsRoom, clientRoom}, nil,
			"a driven adapter implements ports over core types: it does not know the use cases, nor another adapter"},
		restKitRoom: {[]room{coreRoom, appRoom, areaRoom, apptestRoom, drivingRoom}, nil,
			"what the tests of REST APIs share puts them over the test world, and knows no other adapter"},
		clientRoom: {nil, []string{"code.dny.dev/ssrf"},
			"which addresses may be dialled must be one rule for every HTTP client; it knows nothing of this module"},
		axeRoom:     {nil, []string{}, "a script for tests: it knows nothing of this module"},
		pictureRoom: {nil, []string{"rsc.io/qr"}, "a picture of a text: it knows nothing of this module"},
		pluginsRoom: {[]room{coreRoom, portsRoom, pluginsRoom}, nil,
			"what all gateways share knows none of them"},
		gatewayRoom: {[]room{coreRoom, portsRoom, pluginsRoom}, nil,
			"a gateway knows tier 0, ports, plugins and plugins/plugkit, and never another gateway"},
		gatewayKitRoom: {[]room{coreRoom, portsRoom, kitRoom, pluginsRoom}, nil,
			"the gateways' conformance kit knows no gateway"},
		gatewaysRoom: {[]room{coreRoom, portsRoom, pluginsRoom, gatewayRoom}, nil,
			"plugins/all is the list of gateways and nothing else"},
		migrationsRoom: {nil, []string{}, "migrations are embedded files, for whoever asks"},
	}
}

// violations lists what breaks the rules of who imports whom.
func (m *tree) violations() []string {
	var list []string
	for _, f := range m.files {
		for _, i := range f.imports {
			if why := m.offence(f, i.path); why != "" {
				list = append(list, fmt.Sprintf("%s:%d imports %s: %s", f.path, i.line, i.path, why))
			}
		}
		if from, _ := roomOf(f.folder); from == coreRoom && !f.isTest {
			for _, call := range f.clocks {
				list = append(list, fmt.Sprintf("%s:%d asks the clock: tier 0 decides from its arguments, and time is one of them", f.path, call.line))
			}
		}
	}
	return list
}

// offence says which rule an import breaks; empty: none.
func (m *tree) offence(f source, imported string) string {
	from, part := roomOf(f.folder)
	folder, isOwn := m.folderOf(imported)
	if !isOwn {
		return offenceOutside(from, f.isTest, imported)
	}
	to, toPart := roomOf(folder)
	r, isRuled := rules()[from]
	isKnown := slices.Contains(r.rooms, to)
	switch {
	case to == coreRoom && from == coreRoom && !f.isTest:
		return offenceOfSubjects(f.folder, folder)
	case to == from && (toPart == part || from == areaRoom && isAreaBefore(toPart, part)):
		return ""
	case to == cmdRoom:
		return "cmd wires everything and nobody imports it"
	case from == apptestRoom && to == gatewayRoom && toPart != "sandbox":
		return "the test world knows the sandbox, and no other gateway"
	case to == e2eRoom:
		return "end-to-end tests are nobody's: what they share with others belongs into a kit"
	case f.isTest && from == coreRoom && to != coreKitRoom:
		return "tier 0 is tested by itself: what it needs from an outer tier it should not need"
	case from == e2eRoom && to == axeRoom:
		return "" // what tests in a browser share
	case f.isTest || f.folder == simulator && (to == apptestRoom || to == storeTestRoom):
		return "" // an adapter's test may put it together with others
	case !isKnown && (to == coreKitRoom || to == kitRoom || to == apptestRoom || to == storeTestRoom || to == restKitRoom || to == axeRoom):
		return "kits are for tests only"
	case isRuled && !isKnown:
		return r.why
	default:
		return ""
	}
}

// offenceOutside judges imports of the standard library and of other modules.
func offenceOutside(from room, isTest bool, imported string) string {
	if isTest {
		return ""
	}
	if isStandard(imported) {
		if from == coreRoom && isImpure(imported) {
			return "tier 0 has no input, output or randomness: take an io.Reader, a time or plain data as an argument (net/url and net/netip are fine)"
		}
		return ""
	}
	r, isRuled := rules()[from]
	if !isRuled || r.modules == nil || slices.ContainsFunc(r.modules, func(m string) bool { return isWithin(imported, m) }) {
		return ""
	}
	return r.why + "; other modules only from the lists in core/arch_test.go"
}

// isImpure names the packages of the standard library that tier 0 may not import; impurities adds those through which
// the network or a database is reached.
func isImpure(imported string) bool {
	if imported == "net/url" || imported == "net/netip" {
		return false
	}
	for _, root := range []string{"net", "database", "os", "syscall", "plugin", "log/syslog", "crypto/rand", "math/rand", "embed", "testing"} {
		if isWithin(imported, root) {
			return true
		}
	}
	return false
}

func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// isWithin reports whether a path is another or below it.
func isWithin(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// parsed is the module that this test belongs to, whose root is a folder up.
var parsed = sync.OnceValues(func() (*tree, error) { return readTree(os.DirFS("..")) })

func moduleTree(t *testing.T) *tree {
	t.Helper()
	m, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(m.files, func(f source) bool { return f.path == "core/arch_test.go" }) {
		t.Fatal("this is not the module's root")
	}
	return m
}
