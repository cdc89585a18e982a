package gateway_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

// published are addresses that others print as examples: BIP 173 and BIP 350, EIP-55, the wikis of the coins, and
// contracts that everybody knows.
func published() map[string][]string {
	return map[string][]string{
		"TRC20": {
			"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", // the contract of USDT
			"TCNtTa1rveKkovHR2ebABu4K66U6ocUCZX", "TXXmULCEzRo6JfxUP1LYfmzbiKUezUvUNj", "THHRK1bA7YRPZBcLnTP1SZy9ipUpsRwpo6",
		},
		"Bitcoin": {
			"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", // of the first block
			"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "17VZNX1SN5NtKa8UQFxwQbFeFc3iqRYhem", "3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX",
			"mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc",
			"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
			"tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
			"tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
			"bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
			"tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
		},
		"LTC": {
			"LdhVys1Bw8Rx5EwquiUdx1DyWJF2xtXPmQ", "MS1kPMTjQV9DVLGvXWw9QhAJVaHAjHh81o",
			"ltc1qe2nl3405p8hx30ckqaujeqm7a5v5fdly8jjvjf", "mtmyVwSgiWByBaVYigmHyWFBugvsHT2ccM",
			"QdCdgLrtMB5ssEt17xg5AfdCffpimhFPoN", "tltc1q7aqycqhe5vcsuau5u4w79zz79eladj893dlstn",
		},
		"ERC20": {
			"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
			"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
			"0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
			"0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
		},
	}
}

// aliases are other names of the same networks.
func aliases() map[string][]string {
	return map[string][]string{
		"TRC20": {"TRON", "trx", "Trc20"}, "Bitcoin": {"BTC", "bitcoin"}, "LTC": {"Litecoin", "ltc"},
		"ERC20": {"BEP20", "ETH", "ethereum", "BSC", "Polygon"},
	}
}

func TestPublishedAddressesAreTakenOnTheirOwnNetworkOnly(t *testing.T) {
	t.Parallel()
	for of, addresses := range published() {
		for _, address := range addresses {
			for network, names := range aliases() {
				for _, name := range append(names, network) {
					isShared := strings.HasPrefix(address, "m") // both coins print their test chains' addresses alike
					if got := gateway.IsAddress(name, address); got != (of == network) && !isShared {
						t.Errorf("%s of %s on %s: %v", address, of, name, got)
					}
				}
			}
			if !gateway.IsAddress("SOMECHAIN", address) {
				t.Errorf("%s on a network that nobody knows is refused", address)
			}
		}
	}
}

// TestEveryWrongLetterIsFound: one letter or digit replaced by any other, or left out, or two of them.
func TestEveryWrongLetterIsFound(t *testing.T) {
	t.Parallel()
	for network, addresses := range published() {
		if network == "ERC20" {
			continue // has check digits only where the case is mixed: see below
		}
		for _, address := range addresses {
			for i := range len(address) {
				for _, c := range "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz" {
					wrong := address[:i] + string(c) + address[i+1:]
					if wrong != address && gateway.IsAddress(network, wrong) {
						t.Errorf("%s is taken for %s", wrong, address)
					}
				}
				for _, wrong := range []string{address[:i] + address[i+1:], address[:i+1] + address[i:]} {
					if gateway.IsAddress(network, wrong) {
						t.Errorf("%s is taken for %s", wrong, address)
					}
				}
			}
		}
	}
}

func TestMixedCaseOfHexAddressesIsAChecksum(t *testing.T) {
	t.Parallel()
	const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	for i := 2; i < len(address); i++ {
		c := address[i : i+1]
		other := strings.ToUpper(c)
		if other == c {
			other = strings.ToLower(c)
		}
		if wrong := address[:i] + other + address[i+1:]; wrong != address && gateway.IsAddress("ERC20", wrong) {
			t.Errorf("%s is taken", wrong)
		}
	}
	for _, right := range []string{strings.ToLower(address), "0x" + strings.ToUpper(address[2:])} {
		if !gateway.IsAddress("ERC20", right) {
			t.Errorf("%s is refused", right)
		}
	}
}

func TestNoAddress(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"TRC20": {
			"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
			"tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t", "11111111111111111111111111111111", strings.Repeat("z", 128),
			strings.Repeat("1", 128),
		},
		"BTC": { // those of BIP 350, and its valid ones of versions that are not in use
			"tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
			"tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf",
			"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
			"tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
			"bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "bc1pw5dgrnzv",
			"BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
			"BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq",
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
			"tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", "bc1gmk9yu",
			"bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", "BC1SW50QGDZ25J",
			"bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "bc1", "1qqqqqqqq", "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
			"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0", "A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "11A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
		},
		"LTC": {"3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"},
		"ERC20": {
			"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0X52908400098527886E0F7030069857D2E4169EE7",
			"0xde709f2102306220921060314715629080e2fb7", "0xde709f2102306220921060314715629080e2fb777",
			"0xge709f2102306220921060314715629080e2fb77", "0x0xde709f2102306220921060314715629080e2fb",
		},
		"SOMECHAIN": {
			"", "short12", strings.Repeat("a", 129), "with blank", "new\nline1", "tab\tbed1", "ömer12345", "quote'quote", "a/b/c/d/e",
			"percent%20", "nul\x00nul\x00", "\xff\xfe12345678",
		},
	}
	for network, texts := range tests {
		for _, text := range texts {
			if gateway.IsAddress(network, text) {
				t.Errorf("%q is taken on %s", text, network)
			}
		}
	}
}

func TestAnUnknownNetworkTakesTheGeneralShape(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"12345678", strings.Repeat("Z", 128), "bank:abc.def_ghi-jkl", "DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK"} {
		if !gateway.IsAddress("SOMECHAIN", text) || !gateway.IsAddress("", text) {
			t.Errorf("%q is refused", text)
		}
	}
}

// FuzzIsAddress: whatever is typed in is answered, and nothing outside the general shape is ever taken.
func FuzzIsAddress(f *testing.F) {
	for network, addresses := range published() {
		for _, address := range addresses {
			f.Add(network, address)
		}
	}
	f.Fuzz(func(t *testing.T, network, address string) {
		if gateway.IsAddress(network, address) && !gateway.IsAddress("SOMECHAIN", address) {
			t.Errorf("%q on %s has not even the general shape", address, network)
		}
	})
}
