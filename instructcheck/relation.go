package instructcheck

import "strconv"

// Relation compares a count with what was asked for.
type relation string

var relations = map[relation]func(got, want int) bool{
	"at least":  func(got, want int) bool { return got >= want },
	"less than": func(got, want int) bool { return got < want },
	"at most":   func(got, want int) bool { return got <= want },
	"more than": func(got, want int) bool { return got > want },
	"exactly":   func(got, want int) bool { return got == want },
}

// amount is a count together with its relation: at least 3.
type amount struct {
	relation relation
	want     int
}

func (a amount) holds(got int) bool { return relations[a.relation](got, a.want) }

func (a amount) String() string { return string(a.relation) + " " + strconv.Itoa(a.want) }

// compared is the outcome of a count with its reason: "5 words, at least 6 asked for".
func (a amount) compared(got int, what string) (bool, string) {
	return a.holds(got), strconv.Itoa(got) + " " + what + ", " + a.String() + " asked for"
}
