package bank

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Every scenario has a two-digit code. It is taken, in this order, from the admin API's outcome for the reference, from
// a test card, wallet, IBAN or address, and from the kuruş of the amount.

// code finds the scenario of an order. typed is the code of what was typed or sent as the means of payment; empty: none.
func (b *Bank) code(ref, typed string, amount Money) string {
	if byHand, ok := b.outcomes[ref]; ok {
		return byHand
	}
	if typed != "" {
		return typed
	}
	return kurus(amount)
}

func kurus(amount Money) string {
	_, cents, _ := strings.Cut(amount.Value.Fixed(2), ".")
	return cents[:2]
}

func isCode(s string) bool { return len(s) == 2 && isDigits(s) }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// TestCard is the test card of a code: 999999, the code, seven zeros and the Luhn digit.
func TestCard(code string) string {
	digits := "999999" + code + "0000000"
	return digits + strconv.Itoa((10-luhnSum(digits+"0")%10)%10)
}

// luhnSum adds the digits, every second one from the right doubled; the number is right when it ends in 0.
func luhnSum(digits string) int {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	return sum
}

// TestWallet is the test wallet of a code: 99, the code and six zeros.
func TestWallet(code string) string { return "99" + code + "000000" }

// testBank is the bank code of test IBANs. No bank has it.
const testBank = "99999"

// TestIBAN is the test IBAN of a code: the bank 99999 and an account that ends in the code.
func TestIBAN(code string) string { return TurkishIBAN(testBank, code) }

// codeOf returns the code whose test number this is; empty: it is another one.
func codeOf(number string, testNumber func(code string) string) string {
	for n := range 100 {
		if code := fmt.Sprintf("%02d", n); number == testNumber(code) {
			return code
		}
	}
	return ""
}

// TurkishIBAN makes an IBAN with right check digits from a bank's five digits and an account of at most sixteen.
func TurkishIBAN(bank, account string) string {
	bban := bank + "0" + strings.Repeat("0", 16-len(account)) + account
	n, ok := new(big.Int).SetString(bban+"292700", 10) // T is 29, R is 27, and 00 for the check digits
	if !ok {
		return ""
	}
	rest := n.Mod(n, big.NewInt(97)).Int64()
	check := strconv.FormatInt(98-rest, 10)
	return "TR" + strings.Repeat("0", 2-len(check)) + check + bban
}
