package bank

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// AdminHeader carries the admin API's own key.
const AdminHeader = "X-Sandbox-Admin-Key"

// command is the body of every call of the admin API; each reads what it needs.
type command struct {
	Reference string    `json:"reference"`
	Code      string    `json:"code"`    // outcomes: two digits
	Event     string    `json:"event"`   // fire
	Advance   span      `json:"advance"` // clock: "20m"
	For       span      `json:"for"`     // down: "60s"
	Drop      int       `json:"drop"`    // notifications
	Delay     span      `json:"delay"`
	Reorder   bool      `json:"reorder"`
	Calls     int       `json:"calls"`  // throttle
	Refuse    bool      `json:"refuse"` // keys
	NotifyURL string    `json:"notify_url"`
	Amount    *Money    `json:"amount"` // pay, lines
	AccountID string    `json:"account_id"`
	Direction string    `json:"direction"`
	Text      string    `json:"text"`
	Party     Party     `json:"party"`
	BookedAt  time.Time `json:"booked_at"`
	Reverses  string    `json:"reverses"` // lines: the id of the one to take back
	ID        string    `json:"id"`       // disputes: the one that changes
	Status    string    `json:"status"`
	Reason    string    `json:"reason"`
}

// span is a duration such as "90s" or "20m".
type span time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = span(d)
	return err
}

func (b *Bank) routeAdmin() {
	ok := func(err error) (any, error) { return map[string]bool{"ok": err == nil}, err }
	for path, do := range map[string]func(context.Context, command) (any, error){
		"outcomes": func(_ context.Context, c command) (any, error) { return ok(b.SetOutcome(c.Reference, c.Code)) },
		"fire":     func(_ context.Context, c command) (any, error) { return ok(b.Fire(c.Reference, c.Event)) },
		"pay":      func(_ context.Context, c command) (any, error) { return ok(b.Pay(c.Reference, c.Amount)) },
		"clock": func(_ context.Context, c command) (any, error) {
			err := b.Advance(time.Duration(c.Advance))
			return map[string]time.Time{"now": b.Now()}, err
		},
		"notifications": func(_ context.Context, c command) (any, error) {
			return ok(b.FailDeliveries(DeliveryFaults{Drop: c.Drop, Delay: time.Duration(c.Delay), Reorder: c.Reorder}))
		},
		"unknown-order": func(_ context.Context, c command) (any, error) { return ok(b.NotifyUnknown(c.NotifyURL)) },
		"down":          func(_ context.Context, c command) (any, error) { return ok(b.Down(time.Duration(c.For))) },
		"throttle":      func(_ context.Context, c command) (any, error) { return ok(b.Throttle(c.Calls)) },
		"keys":          func(_ context.Context, c command) (any, error) { b.RefuseKeys(c.Refuse); return ok(nil) },
		"lines":         func(_ context.Context, c command) (any, error) { return b.bookLine(c) },
		"disputes":      func(_ context.Context, c command) (any, error) { return b.dispute(c) },
		"step": func(ctx context.Context, _ command) (any, error) {
			return map[string]int{"delivered": b.Step(ctx)}, nil
		},
	} {
		b.mux.HandleFunc("POST /admin/"+path, b.admin(do))
	}
	b.mux.HandleFunc("GET /admin/state", b.admin(func(context.Context, command) (any, error) { return b.State(), nil }))
	b.mux.HandleFunc("GET /admin/scenarios", b.admin(func(context.Context, command) (any, error) {
		return listing[Scenario]{Items: Scenarios()}, nil
	}))
	b.mux.HandleFunc("/admin/", b.admin(func(context.Context, command) (any, error) {
		return nil, errors.New("no such call: see the README")
	}))
}

// dispute opens a dispute of a deposit, or changes one.
func (b *Bank) dispute(c command) (any, error) {
	if c.ID != "" {
		return map[string]string{"id": c.ID}, b.MoveDispute(c.ID, c.Status)
	}
	return b.OpenDispute(c.Reference, c.Amount, c.Reason, c.Status)
}

func (b *Bank) bookLine(c command) (any, error) {
	if c.Reverses != "" {
		return b.Reverse(c.AccountID, c.Reverses)
	}
	if c.Amount == nil {
		return nil, errors.New("give an amount")
	}
	return b.Book(c.AccountID, Line{
		Direction: c.Direction, Amount: *c.Amount, BookedAt: c.BookedAt, Text: c.Text, Party: c.Party,
	})
}

// admin lets in who has the admin key, and answers 422 where a command can't be done.
func (b *Bank) admin(do func(context.Context, command) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if b.config.AdminKey == "" || !isSame(r.Header.Get(AdminHeader), b.config.AdminKey) {
			write(w, nil, &problem{status: http.StatusUnauthorized, code: "bad_key", message: "the admin key is not known"})
			return
		}
		var c command
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err == nil && len(body) > 0 {
			err = json.Unmarshal(body, &c)
		}
		if err != nil {
			write(w, nil, invalid("invalid_request", "the body is not the JSON that was expected"))
			return
		}
		value, err := do(r.Context(), c)
		if err != nil {
			write(w, nil, invalid("invalid_request", err.Error()))
			return
		}
		write(w, value, nil)
	}
}
