"""An event loop for WASI, where there are no sockets, processes or threads to wait for: callbacks and time are all there is."""
import time

from . import base_events
from . import events

__all__ = ("SelectorEventLoop", "DefaultEventLoopPolicy")


class _Selector:
    """Has nothing to watch, so waiting is sleeping."""

    def select(self, timeout=None):
        if timeout is None:
            while True:  # nothing can ever wake this loop, as nothing would elsewhere
                time.sleep(3600)
        if timeout > 0:
            time.sleep(timeout)
        return []

    def close(self):
        pass


class SelectorEventLoop(base_events.BaseEventLoop):
    def __init__(self, selector=None):
        super().__init__()
        self._selector = _Selector()

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass  # the only thread is the one that would be woken

    def close(self):
        if self.is_running():
            raise RuntimeError("Cannot close a running event loop")
        if not self.is_closed():
            super().close()
            self._selector.close()


class DefaultEventLoopPolicy(events.BaseDefaultEventLoopPolicy):
    _loop_factory = SelectorEventLoop
