// Package stats holds estimators and intervals over plain numbers.
package stats
