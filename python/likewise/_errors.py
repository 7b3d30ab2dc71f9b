"""What can go wrong, as Python's own errors and warnings."""


class ParameterError(ValueError, TypeError):
    """A parameter is unknown, of the wrong type or out of range."""


class LikewiseWarning(UserWarning):
    """Something about a result that its reader should know."""
