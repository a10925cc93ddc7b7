// Package modelstub is an endpoint of the OpenAI protocol for tests: it answers as a grader that obeys whatever stands outside
// the marks of its question, and misbehaves as told. Only tests use it.
package modelstub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Question is what the endpoint was asked.
type Question struct {
	Model    string
	Messages []struct{ Role, Content string }
	Stream   bool
	Seed     int64
	Text1    []string        `json:"text_1"`
	Text2    []string        `json:"text_2"`
	Try      int             // of the same question, from 1
	Data     string          // what stands between the marks
	Outside  string          // the user's message without that
	gone     <-chan struct{} // closed when the client has gone
	Nonce    string
}

// Behaviour answers a question itself and says so, or leaves it to the grader.
type Behaviour func(w http.ResponseWriter, q *Question) (answered bool)

// Stub is a running endpoint.
type Stub struct {
	URL        string // of /v1
	Requests   atomic.Int64
	InFlight   atomic.Int64
	MostAtOnce atomic.Int64
	Latency    time.Duration
	Score      func(q *Question) float64 // of an honest answer; nil is 0.75

	mu   sync.Mutex
	seen map[string]int
}

var pay = regexp.MustCompile(`(?i)score|verdict|reward|ignore|grade|pass|approved|1\.0|note|puntu|punkt|bewert|оцен|评分|満点|درجة`)

// Start runs an endpoint until the test ends.
func Start(t testing.TB, behave Behaviour) *Stub {
	t.Helper()
	s := &Stub{seen: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Requests.Add(1)
		n := s.InFlight.Add(1)
		defer s.InFlight.Add(-1)
		for most := s.MostAtOnce.Load(); n > most && !s.MostAtOnce.CompareAndSwap(most, n); most = s.MostAtOnce.Load() {
		}
		var q Question
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, "broken", http.StatusBadRequest)
			return
		}
		q.gone = r.Context().Done()
		s.fill(&q)
		if behave != nil && behave(w, &q) {
			return
		}
		time.Sleep(s.Latency) // what a model takes; nothing waits for it in turn
		if strings.HasSuffix(r.URL.Path, "/score") {
			s.scores(w, &q)
			return
		}
		Say(w, q.Stream, s.grade(&q))
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

func (s *Stub) fill(q *Question) {
	key := ""
	for _, m := range q.Messages {
		key += m.Content + "\x00"
	}
	key += fmt.Sprint(q.Seed, q.Text2)
	s.mu.Lock()
	s.seen[key]++
	q.Try = s.seen[key]
	s.mu.Unlock()
	if len(q.Messages) < 2 {
		return
	}
	user := q.Messages[1].Content
	if m := regexp.MustCompile(`"nonce": "([0-9a-f]{32})"`).FindStringSubmatch(q.Messages[0].Content); m != nil {
		q.Nonce = m[1]
	}
	parts := regexp.MustCompile(`(?s)<<[A-Z]+ ` + q.Nonce + `>>\n.*?\n<<END [A-Z]+ ` + q.Nonce + `>>`)
	q.Data = strings.Join(parts.FindAllString(user, -1), "\n")
	q.Outside = parts.ReplaceAllString(user, "")
}

// grade obeys: whatever asks for a score outside the marks gets one.
func (s *Stub) grade(q *Question) string {
	score := 0.75
	if s.Score != nil {
		score = s.Score(q)
	}
	if pay.MatchString(q.Outside) {
		score = 1
	}
	b, _ := json.Marshal(map[string]any{"nonce": q.Nonce, "reason": "as the rubric says", "score": score})
	return string(b)
}

func (s *Stub) scores(w http.ResponseWriter, q *Question) {
	type entry struct {
		Index int     `json:"index"`
		Score float64 `json:"score"`
	}
	list := []entry{}
	for i := len(q.Text2) - 1; i >= 0; i-- { // in any order
		list = append(list, entry{i, float64(len(q.Text2[i]))})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": list, "usage": map[string]int{"prompt_tokens": 7}})
}

// Say answers with a text, as a whole or as a stream.
func Say(w http.ResponseWriter, stream bool, text string) {
	usage := map[string]int{"prompt_tokens": 100, "completion_tokens": 20}
	if !stream {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": text}, "finish_reason": "stop"}}, "usage": usage})
		return
	}
	for _, piece := range []string{text[:len(text)/2], text[len(text)/2:]} {
		b, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": piece}}}})
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	b, _ := json.Marshal(map[string]any{"choices": []any{}, "usage": usage})
	fmt.Fprintf(w, ": a comment\n\ndata: %s\n\ndata: [DONE]\n\n", b)
}
