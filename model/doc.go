// Package model is one client for every endpoint that speaks the OpenAI chat protocol: chat, tools, structured output,
// streaming, log-probabilities. It keeps a bound on requests in flight for each endpoint, tries again what another try may
// mend (429, 5xx, cut and stalled answers, broken JSON), honours Retry-After, stops at a budget and keeps answers in a
// content-addressed cache.
//
// Whatever an endpoint does ends in an Answer or an *Error; an error never quotes an answer, a request or a key.
package model
