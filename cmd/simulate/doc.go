// Command simulate looks for defects by telling stories. A story is what happens in one world, made from a seed: providers
// and dealers ask for payments, customers pay, honestly or not, staff of all roles decide, gateways and banks repeat
// themselves, fall silent or answer late, the process dies between any two things, the clock jumps. In it are the real
// services, the real store on SQLite in memory, and two sandbox gateways with their banks; after each step plain code holds
// what is stored against what really happened (invariants.go).
//
// Nothing happens by itself. Everything is done on one goroutine, in an order that the seed says, and the clock and all
// randomness are the world's own: one seed is one story, byte for byte. Two stories that are told at once share nothing.
//
//	simulate -seeds 10000           tell many stories; the first that breaks an invariant is shrunken and printed
//	simulate -seed 42               tell one, whole
//	simulate -story file            tell one again that was printed, or written by hand
//	simulate -mutant split-refunds  put a defect back and look for it; -mutants: each of them
//	simulate -only ledger,one-end   look at some invariants only; -not: at all others
//
// A story is data, one line of JSON for each step (step.go): {"id":7,"kind":"pay","of":3} pays what step 3 has asked for. A
// step whose maker is left out does nothing, so that any part of a story can be told. What is printed behind a step is what
// came of it and is not read again.
//
//	story.go       writes the story of a seed: scenes that are told at the same time, and trouble between their steps
//	act.go         what providers, dealers, customers, the gateway and the bank do
//	staff.go       what staff do, and what a second person approves; redirect.go what they change about where money goes
//	work.go        what the process does when it is woken, the sweeper, crashes, and how the world comes to rest
//	world.go       the world, and how a story is told in it
//	template.go    who takes part: a database in which nothing has happened; memory.go that database, in memory
//	process.go     the services, put together as the server's are
//	outside.go     all that a process reaches: commits, claims, the gateway, receivers; faults.go has what goes wrong there
//	truth.go       what really happened; mirror.go what was committed
//	invariants.go  what has to hold after each step, and when the world has come to rest
//	shrink.go      leaves out what a failing story does not need
//	mutants.go     defects that have to be found, put back from outside
//
// When the last step is done, faults end: three days pass in which the gateway is honest, receivers answer and the sweeper
// runs. After them everything has ended, or waits where staff see it.
//
// To add something that may happen, add a step to the actions and a scene that has it. To add something that must hold, give
// it a name and a check in invariants.go, from what is committed and what is true, never from what a service says of itself;
// then put a defect back that it finds, as a mutant. A mutant changes no production code: it answers for a port, rewrites a
// commit, goes round a use case, or takes from the database what would have refused it.
package main
