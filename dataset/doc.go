// Package dataset writes graded rows as training files and publishes them behind a gate.
//
// What it writes never holds privileged values: answer keys, tests, hidden state of a simulated world. The rows of a file that
// was only selected keep them, so that it can be graded again.
package dataset
