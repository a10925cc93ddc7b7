package judge

// Flaky is the key of Meta under which a judge that was seen to judge the same work differently says so, with true. Such a
// verdict stands for its own row; it must not be kept or shared as that of another one.
const Flaky = "flaky"

// Repeatable reports whether the verdict may stand for another row of the same content, too.
func (v Verdict) Repeatable() bool {
	flaky, _ := v.Meta[Flaky].(bool)
	return !flaky
}
