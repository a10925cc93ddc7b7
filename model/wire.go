package model

import "encoding/json"

// Request is one question. The same request to the same model has the same place in the cache.
type Request struct {
	Messages    []Message `json:"messages"`
	Tools       []Tool    `json:"tools,omitempty"`
	ToolChoice  any       `json:"tool_choice,omitempty"` // auto, none, required, or an object that names one
	Format      *Format   `json:"response_format,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	Seed        *int64    `json:"seed,omitempty"`
	Logprobs    bool      `json:"logprobs,omitempty"`
	Stream      bool      `json:"stream,omitempty"` // the answer is the same; a silent endpoint is noticed sooner
}

// Message is one turn of a chat.
type Message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// Tool is a function that a model may call.
type Tool struct {
	Type     string   `json:"type"` // function
	Function Function `json:"function"`
}

// Function describes a tool; Parameters is a JSON Schema.
type Function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// ToolCall is a call as the model wrote it: its arguments are text that need not be JSON.
type ToolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Format asks for structured output.
type Format struct {
	Type   string      `json:"type"` // json_object or json_schema
	Schema *JSONSchema `json:"json_schema,omitempty"`
}

// JSONSchema is the schema of structured output.
type JSONSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

// Answer is what came back. At least one of Text, Refusal and ToolCalls is not empty.
type Answer struct {
	Text      string         `json:"text,omitempty"`
	Refusal   string         `json:"refusal,omitempty"`
	ToolCalls []ToolCall     `json:"tool_calls,omitempty"`
	Finish    string         `json:"finish,omitempty"` // stop, length, tool_calls, content_filter
	Logprobs  []TokenLogprob `json:"logprobs,omitempty"`
	Usage     Usage          `json:"usage"`
}

// TokenLogprob is a token with the natural logarithm of its probability.
type TokenLogprob struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
}

// Usage is what an answer took. Of an answer from the cache only Cached is set.
type Usage struct {
	Input    int64   `json:"prompt_tokens,omitempty"`
	Output   int64   `json:"completion_tokens,omitempty"`
	Cost     float64 `json:"cost,omitempty"` // by Config.Price
	Attempts int     `json:"attempts,omitempty"`
	Cached   int     `json:"cached,omitempty"`
}

// Add sums up.
func (u *Usage) Add(v Usage) {
	u.Input, u.Output, u.Cost = u.Input+v.Input, u.Output+v.Output, u.Cost+v.Cost
	u.Attempts, u.Cached = u.Attempts+v.Attempts, u.Cached+v.Cached
}

// wireAnswer is a completion, or a chunk of one (then with Delta).
type wireAnswer struct {
	Choices []wireChoice `json:"choices"`
	Usage   *Usage       `json:"usage"`
	Error   *wireError   `json:"error"`
}

type wireChoice struct {
	Message, Delta *wireMessage
	Finish         string `json:"finish_reason"`
	Logprobs       *struct {
		Content []TokenLogprob `json:"content"`
	} `json:"logprobs"`
}

type wireMessage struct {
	Content   *string        `json:"content"`
	Refusal   *string        `json:"refusal"`
	ToolCalls []wireToolCall `json:"tool_calls"`
}

type wireToolCall struct {
	Index *int `json:"index"`
	ToolCall
}

type wireError struct {
	Type string `json:"type"`
	Code any    `json:"code"`
}
