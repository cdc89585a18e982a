package conformance

// RunGroup is Run for one group.
var RunGroup = run

// GroupNames are the names of all groups.
func GroupNames(s Subject) []string {
	var names []string
	for _, g := range newKit(s).groups() {
		names = append(names, g.name)
	}
	return names
}
