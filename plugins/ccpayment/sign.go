package ccpayment

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1" //nolint:gosec // the scheme of the brands; the key that comes of it is no weaker than the secret
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Lengths of the parts of a hash key: "4c63ed8a964ab9a3:f20f:WMnQ…".
const (
	ivChars         = 16
	saltChars       = 4
	maxHashKeyChars = 1024
)

// seal makes a hash key: the joined parts, encrypted with AES-256-CBC under what secret and salt make. It hides and
// does not sign: nothing in it says whether somebody changed it.
func seal(secret, iv, salt string, parts ...string) string {
	text := []byte(strings.Join(parts, "|"))
	padding := aes.BlockSize - len(text)%aes.BlockSize
	text = append(text, bytes.Repeat([]byte{byte(padding)}, padding)...)
	cipher.NewCBCEncrypter(block(secret, salt), []byte(iv)).CryptBlocks(text, text)
	return strings.ReplaceAll(iv+":"+salt+":"+base64.StdEncoding.EncodeToString(text), "/", "__")
}

// block is the cipher under a secret: its key is the first half of a hash in hex.
func block(secret, salt string) cipher.Block {
	password := sha1.Sum([]byte(secret)) //nolint:gosec // as above
	sum := sha256.Sum256([]byte(hex.EncodeToString(password[:]) + salt))
	b, err := aes.NewCipher([]byte(hex.EncodeToString(sum[:])[:32]))
	if err != nil {
		panic("ccpayment: 32 bytes are a key: " + err.Error())
	}
	return b
}

// unseal opens a hash key with one of the secrets. Nil: none of them fits.
func unseal(secrets []string, key string) []string {
	pieces := strings.Split(strings.ReplaceAll(key, "__", "/"), ":")
	if len(key) > maxHashKeyChars || len(pieces) != 3 || len(pieces[0]) != ivChars || len(pieces[1]) != saltChars {
		return nil
	}
	sealed, err := base64.StdEncoding.DecodeString(pieces[2])
	if err != nil || len(sealed) == 0 || len(sealed)%aes.BlockSize != 0 {
		return nil
	}
	for _, secret := range secrets {
		text := make([]byte, len(sealed))
		cipher.NewCBCDecrypter(block(secret, pieces[1]), []byte(pieces[0])).CryptBlocks(text, sealed)
		padding := int(text[len(text)-1])
		if padding == 0 || padding > aes.BlockSize || !bytes.HasSuffix(text, bytes.Repeat([]byte{byte(padding)}, padding)) {
			continue
		}
		if text = text[:len(text)-padding]; utf8.Valid(text) && bytes.IndexByte(text, '|') >= 0 {
			return strings.Split(string(text), "|")
		}
	}
	return nil
}
