// Package report writes what people look at: aligned tables, numbers with their thousands apart, colours where they are
// wanted. It knows nothing of what it shows.
package report
