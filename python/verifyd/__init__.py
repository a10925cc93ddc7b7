"""verifyd from Python."""


def verifier(function):
    """Mark a function of (candidate, reference, row): the bridge then calls it so."""
    function.__verifyd_verifier__ = True
    return function
