package gateway

// IsAddress tells whether a text has the shape of an address on a network. On a network that is not known here, any
// text without blanks of 8 to 128 letters, digits and : . _ - will do.
func IsAddress(network, address string) bool {
	if len(address) < 8 || len(address) > 128 {
		return false
	}
	for _, r := range address {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == ':', r == '.', r == '_', r == '-':
		default:
			return false
		}
	}
	return true
}
