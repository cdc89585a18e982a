//go:build drill

package machines_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) {
	redis.SetLogger(quiet{})
	harness.Main(m)
}
