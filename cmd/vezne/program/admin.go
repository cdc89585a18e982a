package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof" // it registers itself with http.DefaultServeMux too, which nothing serves
	"net/netip"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/cmd/vezne/settings"
)

const (
	// adminDefault is where a process that is told nothing serves its operator: on this machine alone.
	adminDefault = "127.0.0.1:8081"
	// profileTimeout is how long a profile or a trace may be taken.
	profileTimeout = 5 * time.Minute
)

// listenAdmin listens for the operator. A port that nobody has chosen and that is taken is no reason not to start: a second
// process on the machine takes a free one.
func listenAdmin(ctx context.Context, setting string, log *slog.Logger) (net.Listener, error) {
	if setting == settings.AdminOff {
		return nil, nil
	}
	address := setting
	if address == "" {
		address = adminDefault
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", address)
	if err != nil && setting == "" {
		log.Info("the default address of the admin listener is taken; another port is used", "address", address)
		listener, err = listen.Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("listening on %s (VEZNE_ADMIN_LISTEN): %w", address, err)
	}
	return listener, nil
}

// adminRoutes is what the operator alone is answered: nobody has to sign in to it.
func (s *service) adminRoutes(on net.Addr) http.Handler {
	router := rest.Routes()
	router.Use(ownHost(on))
	s.health.Routes(router)
	router.Method(http.MethodGet, "/metrics", s.metrics.Page(metrics.Waiting{
		Statements: s.database, Reports: s.database, Pools: s.database.Pools(), Redis: s.queue.Client(),
	}, s.clock))
	router.Route("/debug/pprof", func(r chi.Router) {
		r.Get("/", pprof.Index) // not the command line, which may have secrets in it
		r.Get("/profile", pprof.Profile)
		r.Get("/trace", pprof.Trace)
		r.Get("/symbol", pprof.Symbol)
		for _, name := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
			r.Method(http.MethodGet, "/"+name, pprof.Handler(name))
		}
	})
	return router
}

// ownHost refuses requests to a listener on this machine that name it otherwise than by an address or as localhost: a page
// in a browser here could otherwise have its own name lead here, and read the answers.
func ownHost(on net.Addr) func(http.Handler) http.Handler {
	address, ok := on.(*net.TCPAddr)
	isLocal := ok && address.IP.IsLoopback()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isLocal && !isPlainHost(r.Host) {
				http.Error(w, "name this listener by its address", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func isPlainHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost"
}

// serveAdmin answers the operator until the returned function is called.
func (s *service) serveAdmin(listener net.Listener) (stop func() error) {
	if listener == nil {
		return func() error { return nil }
	}
	server := &http.Server{
		Handler: s.adminRoutes(listener.Addr()), ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout,
		WriteTimeout: profileTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return func() error {
		err := server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}
}

// addressOf is where a listener listens, for the log.
func addressOf(listener net.Listener) string {
	if listener == nil {
		return settings.AdminOff
	}
	return listener.Addr().String()
}
