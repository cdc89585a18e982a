package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Lengths of an address, in characters. Every check below looks at no more than these.
const (
	minAddressChars = 8
	maxAddressChars = 128
)

// IsAddress reports whether a text has the shape of an address on a network, its check digits included; addresses of the
// network's test chains are taken, too. On a network that is not known here, any text without blanks of 8 to 128
// letters, digits and : . _ - will do.
func IsAddress(network, address string) bool {
	if len(address) < minAddressChars || len(address) > maxAddressChars || strings.ContainsFunc(address, isStrange) {
		return false
	}
	switch strings.ToUpper(network) {
	case "TRC20", "TRON", "TRX":
		return isBase58Address(address, 0x41)
	case "BTC", "BITCOIN":
		return isBase58Address(address, 0x00, 0x05, 0x6f, 0xc4) || isSegwitAddress(address, "bc", "tb", "bcrt")
	case "LTC", "LITECOIN": // not its old form of version 5, which cannot be told from an address of Bitcoin
		return isBase58Address(address, 0x30, 0x32, 0x6f, 0x3a) || isSegwitAddress(address, "ltc", "tltc", "rltc")
	case "ERC20", "ETH", "ETHEREUM", "BEP20", "BSC", "POLYGON":
		return isHexAddress(address)
	default:
		return true
	}
}

func isStrange(r rune) bool {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == ':', r == '.', r == '_', r == '-':
		return false
	default:
		return true
	}
}

// isBase58Address checks base58check: a version byte, a hash of 20 bytes, and the first four bytes of their double
// SHA-256.
func isBase58Address(address string, versions ...byte) bool {
	const payloadBytes, sumBytes = 21, 4
	raw, ok := decodeBase58(address, payloadBytes+sumBytes)
	if !ok || !bytes.Contains(versions, raw[:1]) {
		return false
	}
	once := sha256.Sum256(raw[:payloadBytes])
	twice := sha256.Sum256(once[:])
	return bytes.Equal(raw[payloadBytes:], twice[:sumBytes])
}

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// decodeBase58 reads a number of exactly size bytes, its leading zeros written as ones.
func decodeBase58(text string, size int) ([]byte, bool) {
	raw := make([]byte, size)
	for _, c := range []byte(text) {
		carry := strings.IndexByte(base58Alphabet, c)
		if carry < 0 {
			return nil, false
		}
		for i := size - 1; i >= 0; i-- {
			carry += int(raw[i]) * 58
			raw[i] = byte(carry & 0xff)
			carry >>= 8
		}
		if carry != 0 {
			return nil, false
		}
	}
	zeros := len(raw) - len(bytes.TrimLeft(raw, "\x00"))
	ones := len(text) - len(strings.TrimLeft(text, "1"))
	return raw, zeros == ones
}

const bech32Alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// What the check digits of a witness address come to: version 0 (BIP 173), and later versions (BIP 350).
const (
	bech32Sum  = 1
	bech32mSum = 0x2bc830a3
)

// isSegwitAddress checks a witness address: version 0 with a hash of 20 or 32 bytes, and version 1 with a key of 32.
// Nothing else is in use yet, and what is sent to a version of the future anybody can take.
func isSegwitAddress(address string, prefixes ...string) bool {
	const maxChars = 90
	lower := strings.ToLower(address)
	if len(address) > maxChars || address != lower && address != strings.ToUpper(address) {
		return false
	}
	cut := strings.LastIndexByte(lower, '1')
	if cut < 0 || !slices.Contains(prefixes, lower[:cut]) {
		return false
	}
	words, ok := decodeBech32(lower[cut+1:])
	if !ok || len(words) < 7 {
		return false
	}
	sum, program := polymod(append(spread(lower[:cut]), words...)), words[1:len(words)-6]
	size, ok := programBytes(program)
	switch words[0] {
	case 0:
		return ok && sum == bech32Sum && (size == 20 || size == 32)
	case 1:
		return ok && sum == bech32mSum && size == 32
	default:
		return false
	}
}

// decodeBech32 turns letters into words of five bits.
func decodeBech32(text string) ([]byte, bool) {
	words := make([]byte, 0, len(text))
	for i := range len(text) {
		for word := byte(0); word < 32; word++ {
			if bech32Alphabet[word] == text[i] {
				words = append(words, word)
			}
		}
	}
	return words, len(words) == len(text)
}

// spread is the prefix as it goes into the sum: the high bits of each letter, a zero, the low bits of each.
func spread(prefix string) []byte {
	var high, low []byte
	for _, c := range []byte(prefix) {
		high, low = append(high, c>>5), append(low, c&31)
	}
	return append(append(high, 0), low...)
}

// polymod is the checksum of BIP 173 over words of five bits.
func polymod(words []byte) uint32 {
	generator := [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3}
	sum := uint32(1)
	for _, w := range words {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(w)
		for i, g := range generator {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	return sum
}

// programBytes is how many bytes words of five bits make. What is left over must be less than a word, and zero.
func programBytes(words []byte) (int, bool) {
	bits := len(words) * 5
	rest := bits % 8
	if rest >= 5 || len(words) == 0 {
		return 0, false
	}
	return bits / 8, words[len(words)-1]&(1<<rest-1) == 0
}

// isHexAddress checks 0x and 40 hex digits. Where small and capital letters are mixed they carry a checksum (EIP-55): a
// letter is a capital where the hash of the small form has a digit of 8 or more.
func isHexAddress(address string) bool {
	const digits = 40
	text, ok := strings.CutPrefix(address, "0x")
	if _, err := hex.DecodeString(text); !ok || len(text) != digits || err != nil {
		return false
	}
	lower := strings.ToLower(text)
	if text == lower || text == strings.ToUpper(text) {
		return true
	}
	keccak := sha3.NewLegacyKeccak256()
	keccak.Write([]byte(lower))
	sum := hex.EncodeToString(keccak.Sum(nil))
	for i := range digits {
		if isCapital, must := text[i] >= 'A' && text[i] <= 'F', sum[i] >= '8'; lower[i] >= 'a' && isCapital != must {
			return false
		}
	}
	return true
}
