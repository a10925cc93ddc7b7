// Package rollout holds what happened: one row is one rollout of a policy, with its prompt, its trajectory, its final
// answer, and the privileged part that only verifiers read.
//
// A row is a JSON object. Keys that verifyd does not know are kept, with their order and spelling, so a graded row is the
// row that came in with the verdict behind it. Values that have another shape than expected are not an error: the typed
// field stays empty and the raw value stays reachable by Get and Lookup.
package rollout
