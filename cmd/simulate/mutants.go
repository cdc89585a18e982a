package main

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

type claimer func(ctx context.Context, receiver string, now, until time.Time, limit int) ([]core.Callback, error)

// mutant is a defect that is put back from outside. What is nil is as it is.
type mutant struct {
	name  string
	finds []string // the invariants of which it breaks one

	isUnswept bool // nobody sweeps
	wire      func(*process)
	commit    func(*World, core.Changeset) core.Changeset
	claim     func(*World) claimer
	answer    func(gateway.Request, gateway.Response) gateway.Response
	lost      func(error) error // what a gateway's plugin says of a call without an answer
	perform   func(w *World, ctx context.Context, who core.Staff, s Step) (said string, err error, isDone bool)
}

func mutants() []mutant { return nil }

func mutantNames() []string {
	var names []string
	for _, m := range mutants() {
		names = append(names, m.name)
	}
	return names
}

func mutantNamed(name string) (mutant, bool) {
	for _, m := range mutants() {
		if m.name == name {
			return m, true
		}
	}
	return mutant{}, false
}
