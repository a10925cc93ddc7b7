// Package engine moves rows through judges at scale: bounded workers, results in the order of the rows, constant memory,
// one ladder of deadlines, retries of what the machine did wrong, identical work in flight done once, cancellation that
// loses no finished row. It knows rows and judges and nothing of what a judge is.
//
// Three layers, each usable alone. Each is the ordered pipeline over any items. Engine.Grade judges one row under
// deadlines, retries and sharing. Lines grades JSON Lines into blocks of graded lines, and can go on with a run that was
// cut off.
package engine
