package bank

import (
	"crypto/sha256"
	"math/big"
	"slices"
)

// Test addresses are right in form, checksum and all, and nobody has a key to them: instead of the hash of one they hold
// a text that ends in the code.

const addressText = "VEZNE-SANDBOX-SIM-" // with the code, the 20 bytes of a hash

// TestAddress is the test address of a code on a network.
func TestAddress(network, code string) string {
	payload := append([]byte{addressVersion(network)}, addressText+code...)
	return encode58(append(payload, checksum(payload)...))
}

// addressVersion is the first byte of an address: T… on Tron, 1… on Bitcoin.
func addressVersion(network string) byte {
	if network == "TRC20" {
		return 0x41
	}
	return 0x00
}

func checksum(payload []byte) []byte {
	first := sha256.Sum256(payload)
	second := sha256.Sum256(first[:])
	return second[:4]
}

const alphabet58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// encode58 writes bytes in base 58; each leading zero byte is a 1.
func encode58(raw []byte) string {
	var out []byte
	n, base, digit := new(big.Int).SetBytes(raw), big.NewInt(58), new(big.Int)
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append(out, alphabet58[digit.Int64()])
	}
	for _, b := range raw {
		if b != 0 {
			break
		}
		out = append(out, '1')
	}
	slices.Reverse(out)
	return string(out)
}
