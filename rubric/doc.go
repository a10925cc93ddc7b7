// Package rubric holds the judges that are models: Judge grades a row against a rubric in prose, Reward turns the number of
// a scoring endpoint into a reward.
//
// A candidate is hostile text for a judge that reads. So everything that comes from the row stands between marks with a
// nonce that no text of the row can hold, the answer must be one JSON object of a fixed form that repeats the nonce, and
// nothing else of it counts. What the model refuses or garbles is a status, never a zero.
package rubric
