package core

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Of an IPv6 address, what one connection keeps, and what whoever has many connections is given (RFC 6177).
const (
	placeBits   = 64
	networkBits = 48
)

// PlaceOf names where an address is, for counting what comes from there: the address, or the whole network of one IPv6
// connection, which has as many addresses as anybody wants. Of no address it is empty.
func PlaceOf(addr netip.Addr) string {
	addr = addr.Unmap()
	if network, err := addr.Prefix(placeBits); err == nil && addr.Is6() {
		return network.String()
	}
	if !addr.IsValid() {
		return ""
	}
	return addr.String()
}

// NetworkOf names the network of which an address is, for counting what comes from all its places together: whoever has one has 65,536
// of them. Of an IPv4 address it is empty: its neighbours are other people.
func NetworkOf(addr netip.Addr) string {
	addr = addr.Unmap()
	if network, err := addr.Prefix(networkBits); err == nil && addr.Is6() {
		return network.String()
	}
	return ""
}

// Rate is how many events are allowed in a period. The zero Rate is no limit.
type Rate struct {
	Events int
	Per    time.Duration
}

// IsOff reports whether there is no limit.
func (r Rate) IsOff() bool { return r.Events == 0 }

// ParseRate reads "off", "100/s", "6000/m" or "10000/h".
func ParseRate(text string) (Rate, error) {
	if text == "off" {
		return Rate{}, nil
	}
	n, unit, _ := strings.Cut(text, "/")
	periods := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}
	events, err := strconv.Atoi(n)
	if err != nil || events < 1 || events > 1_000_000_000 || periods[unit] == 0 {
		return Rate{}, errors.New(`not "off" or a rate such as 100/s, 6000/m or 10000/h`)
	}
	return Rate{Events: events, Per: periods[unit]}, nil
}

// String is the form that ParseRate reads.
func (r Rate) String() string {
	if r.IsOff() {
		return "off"
	}
	units := map[time.Duration]string{time.Second: "s", time.Minute: "m", time.Hour: "h"}
	return fmt.Sprintf("%d/%s", r.Events, units[r.Per])
}

// Tenth is a tenth of the rate, at least one event.
func (r Rate) Tenth() Rate {
	if r.IsOff() {
		return r
	}
	return Rate{Events: max(1, r.Events/10), Per: r.Per}
}

// Allowance is a limiter's answer.
type Allowance struct {
	OK        bool
	Limit     int           // events per period; 0: no limit
	Remaining int           // events left now
	Reset     time.Duration // until all of it is back
	Retry     time.Duration // when not OK: how long to wait
}
