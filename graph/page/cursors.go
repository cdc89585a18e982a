package page

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// ByID is the places of lists in the order of IDs.
var ByID = Cursors[core.ID]{
	Write: func(id core.ID) string { return string(id) },
	Read:  func(text string) (core.ID, bool) { return core.ID(text), core.IsID(text) },
}

// ByNumber is the places of lists in the order of numbers.
var ByNumber = Cursors[int64]{
	Write: func(id int64) string { return strconv.FormatInt(id, 10) },
	Read: func(text string) (int64, bool) {
		id, err := strconv.ParseInt(text, 10, 64)
		return id, err == nil && id > 0
	},
}

// ByTransition is the places in a history.
var ByTransition = Cursors[payment.TransitionID]{
	Write: func(c payment.TransitionID) string {
		return strconv.FormatInt(c.At.UnixMicro(), 10) + "/" + string(c.ID)
	},
	Read: func(text string) (payment.TransitionID, bool) {
		at, id, _ := strings.Cut(text, "/")
		micros, err := strconv.ParseInt(at, 10, 64)
		return payment.TransitionID{ID: core.ID(id), At: time.UnixMicro(micros).UTC()},
			err == nil && micros <= maxKey && micros >= 0 && core.IsID(id)
	},
}

// ByDeadline is the places in the list of disputes by the deadline of their evidence.
var ByDeadline = Cursors[core.DueCursor]{
	Write: func(c core.DueCursor) string {
		return "due/" + strconv.FormatInt(c.At.UnixMicro(), 10) + "/" + string(c.ID)
	},
	Read: func(text string) (core.DueCursor, bool) {
		order, place, _ := strings.Cut(text, "/")
		at, ok := ByTransition.Read(place)
		return core.DueCursor{At: at.At, ID: at.ID}, ok && order == "due"
	},
}

// ByDay is the places in the list of reconciled days.
var ByDay = Cursors[wallet.DayCursor]{
	Write: func(c wallet.DayCursor) string { return string(c.Day) + "/" + ByNumber.Write(c.WalletID) },
	Read: func(text string) (wallet.DayCursor, bool) {
		day, number, _ := strings.Cut(text, "/")
		id, ok := ByNumber.Read(number)
		return wallet.DayCursor{Day: core.Day(day), WalletID: id}, ok && core.Day(day).IsDay()
	},
}

// ByBlock is the places in the block list.
var ByBlock = Cursors[owner.BlockCursor]{
	Write: func(c owner.BlockCursor) string {
		text, err := json.Marshal(blockPlace{c.CreatedAt, c.ProviderID, c.UserID})
		if err != nil {
			return "" // cannot happen: the year has four digits
		}
		return string(text)
	},
	Read: func(text string) (owner.BlockCursor, bool) {
		var p blockPlace
		err := json.Unmarshal([]byte(text), &p)
		key := owner.CustomerKey{ProviderID: p.Provider, UserID: p.User}
		return owner.BlockCursor{CustomerKey: key, CreatedAt: p.At}, err == nil && !p.At.IsZero() && p.Provider > 0 && utf8.ValidString(p.User)
	},
}

// blockPlace is a place in the block list, as its cursor has it.
type blockPlace struct {
	At       time.Time `json:"t"`
	Provider int64     `json:"p"`
	User     string    `json:"u"`
}

// maxKey bounds the keys of cursors: moments up to the year 9999, in microseconds.
const maxKey = 253_402_300_799_999_999

// Sorted is the places in a list of payments. A cursor names the list's order, but where the ID is all of a place.
func Sorted(sort report.PaymentSort) Cursors[report.Cursor] {
	if sort == "" || sort == report.NewestFirst {
		return Cursors[report.Cursor]{
			Write: func(c report.Cursor) string { return ByID.Write(c.ID) },
			Read: func(text string) (report.Cursor, bool) {
				id, ok := ByID.Read(text)
				return report.Cursor{ID: id}, ok
			},
		}
	}
	return Cursors[report.Cursor]{
		Write: func(c report.Cursor) string {
			return string(sort) + "/" + strconv.FormatInt(c.Key, 10) + "/" + string(c.ID)
		},
		Read: func(text string) (report.Cursor, bool) {
			parts := strings.Split(text, "/")
			if len(parts) != 3 || parts[0] != string(sort) || !core.IsID(parts[2]) {
				return report.Cursor{}, false
			}
			key, err := strconv.ParseInt(parts[1], 10, 64)
			return report.Cursor{Key: key, ID: core.ID(parts[2])}, err == nil && key <= maxKey && key >= -maxKey
		},
	}
}
