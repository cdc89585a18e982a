package conformance

// RunGroup is Run for one group.
var RunGroup = run
