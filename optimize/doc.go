// Package optimize selects the rows that a training step learns from: no junk, no duplicates, no groups without gradient, a band of
// difficulty; or for supervised training the best reply of each prompt.
//
// Rows are read once into an Index of small records; Select answers with the numbers of the rows to keep, in the order in which to
// keep them, and a report in which each dropped row has exactly one reason.
package optimize
