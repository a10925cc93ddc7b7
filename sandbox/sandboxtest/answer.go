package sandboxtest

// Answer is a Python program of the shape of a graded answer: common imports, a small function, asserts.
const Answer = `
import collections, math
from typing import List
def close(numbers: List[float], threshold: float) -> bool:
    for i, a in enumerate(numbers):
        for b in numbers[i + 1:]:
            if abs(a - b) < threshold:
                return True
    return False
assert close([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3)
assert not close([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.05)
assert close([1.0, 2.0, 5.9, 4.0, 5.0], 0.95)
assert not close([1.0, 2.0, 5.9, 4.0, 5.0], 0.8)
assert close([1.0, 2.0, 3.0, 4.0, 5.0, 2.0], 0.1)
assert close([1.1, 2.2, 3.1, 4.1, 5.1], 1.0)
assert not close([1.1, 2.2, 3.1, 4.1, 5.1], 0.5)
`
