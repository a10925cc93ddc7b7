package modelstub

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Faults are the known ways in which an endpoint misbehaves, by name.
var Faults = map[string]Behaviour{
	"429 with Retry-After": func(w http.ResponseWriter, _ *Question) bool {
		w.Header().Set("Retry-After", "0.05")
		http.Error(w, `{"error": {"type": "rate_limit_exceeded"}}`, http.StatusTooManyRequests)
		return true
	},
	"429 with a date": func(w http.ResponseWriter, _ *Question) bool {
		w.Header().Set("Retry-After", time.Now().UTC().Format(http.TimeFormat))
		http.Error(w, "slow down", http.StatusTooManyRequests)
		return true
	},
	"429": status(http.StatusTooManyRequests),
	"500": status(http.StatusInternalServerError),
	"503": status(http.StatusServiceUnavailable),
	"401": status(http.StatusUnauthorized),
	"a redirect": func(w http.ResponseWriter, _ *Question) bool {
		w.Header().Set("Location", "http://127.0.0.1:9/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	},
	"a cut answer": func(w http.ResponseWriter, _ *Question) bool {
		w.Header().Set("Content-Length", "500")
		return write(w, `{"choices": [{"message": {"cont`)
	},
	"a cut stream": func(w http.ResponseWriter, _ *Question) bool {
		write(w, "data: {\"choices\": [{\"delta\": {\"content\": \"{\\\"nonce\\\"\"}}]}\n\n")
		panic(http.ErrAbortHandler)
	},
	"a stream without its end": func(w http.ResponseWriter, _ *Question) bool {
		return write(w, "data: {\"choices\": [{\"delta\": {\"content\": \"{\"}}]}\n\n")
	},
	"a stalled stream": func(w http.ResponseWriter, q *Question) bool {
		write(w, "data: {\"choices\": [{\"delta\": {\"content\": \"{\"}}]}\n\n")
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		<-q.gone
		return true
	},
	"a slow first token": func(_ http.ResponseWriter, q *Question) bool {
		<-q.gone
		return true
	},
	"no JSON":         func(w http.ResponseWriter, _ *Question) bool { return write(w, "<html>gateway</html>") },
	"an error in 200": func(w http.ResponseWriter, _ *Question) bool { return write(w, `{"error": {"code": "overloaded"}}`) },
	"no choices":      func(w http.ResponseWriter, _ *Question) bool { return write(w, `{"choices": []}`) },
	"an empty message": func(w http.ResponseWriter, _ *Question) bool {
		return write(w, `{"choices": [{"message": {"content": null}}]}`)
	},
	"a refusal": func(w http.ResponseWriter, _ *Question) bool {
		return write(w, `{"choices": [{"message": {"refusal": "I cannot."}, "finish_reason": "stop"}]}`)
	},
	"a wrong tool call": func(w http.ResponseWriter, _ *Question) bool {
		return write(w, `{"choices": [{"message": {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "grade", "arguments": "{\"score\": 0"}}]}, "finish_reason": "tool_calls"}]}`)
	},
	"prose": func(w http.ResponseWriter, q *Question) bool {
		Say(w, q.Stream, "I would give this a score of 0 out of 1.")
		return true
	},
	"a verdict behind prose": func(w http.ResponseWriter, q *Question) bool {
		Say(w, q.Stream, fmt.Sprintf(`Here: {"nonce": %q, "reason": "x", "score": 0}`, q.Nonce))
		return true
	},
	"another nonce": func(w http.ResponseWriter, q *Question) bool {
		Say(w, q.Stream, `{"nonce": "0", "reason": "x", "score": 0}`)
		return true
	},
	"a score of 7": func(w http.ResponseWriter, q *Question) bool {
		Say(w, q.Stream, fmt.Sprintf(`{"nonce": %q, "reason": "x", "score": 7}`, q.Nonce))
		return true
	},
	"a score that is text": func(w http.ResponseWriter, q *Question) bool {
		Say(w, q.Stream, fmt.Sprintf(`{"nonce": %q, "reason": "x", "score": "0"}`, q.Nonce))
		return true
	},
	"no score": func(w http.ResponseWriter, q *Question) bool {
		Say(w, q.Stream, fmt.Sprintf(`{"nonce": %q, "reason": "x"}`, q.Nonce))
		return true
	},
	"ten megabytes": func(w http.ResponseWriter, _ *Question) bool {
		write(w, `{"choices": [{"message": {"content": "`)
		for range 10 {
			write(w, strings.Repeat("0", 1<<20))
		}
		return write(w, `"}}]}`)
	},
}

func status(code int) Behaviour {
	return func(w http.ResponseWriter, _ *Question) bool {
		http.Error(w, `{"error": {"type": "server_error"}}`, code)
		return true
	}
}

func write(w io.Writer, s string) bool {
	_, _ = io.WriteString(w, s) // the client may have gone
	return true
}
