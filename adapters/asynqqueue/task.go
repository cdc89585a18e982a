package asynqqueue

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/vezne/vezne/core"
)

// keyOf returns a wake-up's typed key as a task carries it.
func keyOf(w core.WakeUp) string {
	if w.Kind == core.DueOperations || w.Kind == core.DueDisputes {
		return strconv.FormatInt(w.GatewayID, 10)
	}
	return w.Receiver
}

// wakeUpOf reads a task. What another version of Vezne, or anybody else, has put into the queue may be none of ours.
func wakeUpOf(kind string, payload []byte) (core.WakeUp, error) {
	w := core.WakeUp{Kind: core.WakeUpKind(kind)}
	var err error
	switch w.Kind {
	case core.DueCallbacks:
		w.Receiver = string(payload)
	case core.DueOperations, core.DueDisputes:
		if w.GatewayID, err = strconv.ParseInt(string(payload), 10, 64); err != nil {
			err = errors.New("no gateway account")
		}
	case core.DuePayments, core.DueNotifications, core.DueStatements, core.DueJobs, core.DueTestPlans:
		if len(payload) > 0 {
			err = errors.New("a key where there is none")
		}
	default:
		err = errors.New("an unknown kind")
	}
	if err != nil {
		return core.WakeUp{}, fmt.Errorf("task %.50q with payload %.50q: %w", kind, payload, err)
	}
	return w, nil
}
