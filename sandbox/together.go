package sandbox

import "context"

// Reserver is a Sandbox in which a job may have to wait for others to end. Jobs that wait for each other, such as a program and the
// tester that talks to it, would then wait for ever where one was let in and the other was not.
type Reserver interface {
	// Reserve waits until all these jobs can be run at once. Runs under the context that it returns start without waiting;
	// release, called once when they have ended, gives the room back. On an error there is nothing to release.
	Reserve(ctx context.Context, specs ...Spec) (reserved context.Context, release func(), err error)
}

// Together reserves room for jobs that run at once, where s is a Reserver; else it gives the context as it is.
func Together(ctx context.Context, s Sandbox, specs ...Spec) (reserved context.Context, release func(), err error) {
	if r, ok := s.(Reserver); ok {
		return r.Reserve(ctx, specs...)
	}
	return ctx, func() {}, nil
}
