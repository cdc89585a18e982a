package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/vezne/vezne/core/sign"
)

// startTimeout bounds the start of the binary.
const startTimeout = 30 * time.Second

// installation is a running demo.
type installation struct {
	command    *exec.Cmd
	exited     chan struct{}
	keys       keys
	address    string // host:port
	readyAfter time.Duration
	customers  atomic.Uint32 // who have sent a form
}

// keys is what the bench reads of demo.json.
type keys struct {
	BaseURL  string `json:"base_url"`
	Provider struct {
		ID        int64  `json:"id"`
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
	} `json:"provider"`
	Sites []struct {
		CredentialKey string `json:"credential_key"`
	} `json:"sites"`
	Staff []member `json:"staff"`
}

// member is one of the demo's staff.
type member struct{ Email, Password, Role string }

func start(ctx context.Context, binary, dir string, env []string) (*installation, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	logFile, err := os.Create(filepath.Join(dir, "vezne.log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = logFile.Close() }() // the child has its own
	v := &installation{command: exec.CommandContext(ctx, binary, "demo", "--listen", "127.0.0.1:0", "--data-dir", dir), exited: make(chan struct{})}
	v.command.Env = append(append(os.Environ(), "VEZNE_RATE_LIMIT=off", "VEZNE_LOG_FORMAT=json", "VEZNE_DEMO_PAST=false",
		"VEZNE_TEST_PAYMENTS=false", "VEZNE_OPEN_DEPOSITS_PER_CUSTOMER=0", "VEZNE_OPEN_DEPOSITS_PER_SITE=0", // one customer creates all
		"VEZNE_TRUSTED_PROXIES=127.0.0.1"), env...) // an address takes so many forms a minute: see customerHeaders
	v.command.Stderr = logFile
	began := time.Now()
	if err := v.command.Start(); err != nil {
		return nil, err
	}
	go func() { _ = v.command.Wait(); close(v.exited) }()
	if err := v.awaitReady(ctx, dir, began); err != nil {
		v.stop()
		return nil, err
	}
	return v, nil
}

func (v *installation) awaitReady(ctx context.Context, dir string, began time.Time) error {
	for time.Since(began) < startTimeout && ctx.Err() == nil {
		data, err := os.ReadFile(filepath.Join(dir, "demo.json"))
		if err == nil && json.Unmarshal(data, &v.keys) == nil && isReady(ctx, v.keys.BaseURL) {
			v.readyAfter = time.Since(began)
			v.address = strings.TrimPrefix(v.keys.BaseURL, "http://")
			return nil
		}
		select {
		case <-v.exited:
			return fmt.Errorf("vezne ended at once: see %s/vezne.log", dir)
		case <-time.After(2 * time.Millisecond):
		}
	}
	return fmt.Errorf("vezne was not ready within %s", startTimeout)
}

func isReady(ctx context.Context, base string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
}

func (v *installation) stop() {
	_ = v.command.Process.Signal(syscall.SIGTERM) // it may have ended
	<-v.exited
}

// residentMB is the process's resident memory.
func (v *installation) residentMB() int {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(v.command.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmRSS:"); ok {
			kb, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return kb / 1024
		}
	}
	return 0
}

// signedHeaders are the headers of a creating call, signed now: they are good for five minutes.
func (v *installation) signedHeaders() string {
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	key := v.keys.Sites[0].CredentialKey
	return "X-Api-Key: " + v.keys.Provider.APIKey + "\r\nX-Timestamp: " + stamp + "\r\nX-Credential-Key: " + key +
		"\r\nX-Hash: " + sign.Hash(v.keys.Provider.APIKey, v.keys.Provider.SecretKey, key, stamp) + "\r\n"
}

// graphql runs a mutation as the demo's admin.
func (v *installation) graphql(ctx context.Context, token, query string) ([]byte, error) {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, v.keys.BaseURL+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	var b bytes.Buffer
	_, err = b.ReadFrom(answer.Body)
	if bytes.Contains(b.Bytes(), []byte(`"errors"`)) {
		return nil, fmt.Errorf("graphql: %s", b.Bytes())
	}
	return b.Bytes(), err
}

// admin finds the demo's admin.
func (k keys) admin() (member, error) {
	i := slices.IndexFunc(k.Staff, func(s member) bool { return s.Role == "admin" })
	if i < 0 {
		return member{}, errors.New("demo.json names no admin")
	}
	return k.Staff[i], nil
}

// signIn returns a session of the demo's admin.
func (v *installation) signIn(ctx context.Context) (token string, err error) {
	admin, err := v.keys.admin()
	if err != nil {
		return "", err
	}
	answer, err := v.graphql(ctx, "", fmt.Sprintf("mutation { login(input: {email: %q, password: %q}) { token } }", admin.Email, admin.Password))
	if err != nil {
		return "", err
	}
	var login struct {
		Data struct{ Login struct{ Token string } }
	}
	err = json.Unmarshal(answer, &login)
	return login.Data.Login.Token, err
}

// sendCallbacksTo points the demo's provider at the bench's receiver.
func (v *installation) sendCallbacksTo(ctx context.Context, url string) error {
	token, err := v.signIn(ctx)
	if err != nil {
		return err
	}
	_, err = v.graphql(ctx, token, fmt.Sprintf(
		"mutation { updateProvider(input: {id: %d,  callbackUrl: %q }) { provider { id } } }", v.keys.Provider.ID, url))
	return err
}
