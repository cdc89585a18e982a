// Package ports holds the small interfaces over core types behind which databases, queues, receivers and other foreign
// systems stand. The comments are the contract: each port has a conformance kit beside it that every adapter passes.
package ports
