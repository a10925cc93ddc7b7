// Package trust tells whether a judge can be believed: how far it agrees with gold labels, whether it reads length instead of
// substance, and whether a cheap trick turns its verdicts.
//
// A judge without labels, or with labels of one class only, is not measured; that is never the same as trusted.
package trust
