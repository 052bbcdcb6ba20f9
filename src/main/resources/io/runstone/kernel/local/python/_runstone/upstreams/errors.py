"""What can go wrong with upstream servers, as exceptions that keep the server's message."""


class UpstreamError(Exception):
    """Something asked of an upstream server was not done, or is not known to have been."""

    __module__ = "upstream"

    def __init__(self, message):
        super().__init__(message)
        self.message = message


class ToolError(UpstreamError):
    """The tool itself says that it failed. content has all that it answered."""

    __module__ = "upstream"

    def __init__(self, message, content=()):
        super().__init__(message)
        self.content = list(content)


class ConsentRequired(UpstreamError):
    """The user has to connect the server first, or to allow more: in a browser, at url."""

    __module__ = "upstream"

    def __init__(self, message, url=None):
        super().__init__(message if not url or url in message else "%s: %s" % (message, url))
        self.url = url


class UpstreamUnavailable(UpstreamError):
    """The server can't be reached, or what it says makes no sense."""

    __module__ = "upstream"


class Timeout(UpstreamError, TimeoutError):
    """The answer did not come in time; the tool may have done its work."""

    __module__ = "upstream"


class NotAllowed(UpstreamError):
    """The user, or this server's administrator, does not allow it."""

    __module__ = "upstream"


class NotFound(UpstreamError, LookupError):
    """There is no such server or tool."""

    __module__ = "upstream"


class Rejected(UpstreamError):
    """The server refuses the call as it is, such as for its arguments."""

    __module__ = "upstream"


class LimitReached(UpstreamError):
    """A bound on calls or their size is reached; the message says which."""

    __module__ = "upstream"


class Cancelled(UpstreamError):
    """The call was called off, for the cell that made it was interrupted or has ended."""

    __module__ = "upstream"


_KINDS = {
    "unknown": NotFound,
    "forbidden": NotAllowed,
    "consent_required": ConsentRequired,
    "scope_required": ConsentRequired,
    "rejected": Rejected,
    "unavailable": UpstreamUnavailable,
    "session_lost": UpstreamUnavailable,
    "timeout": Timeout,
    "too_large": LimitReached,
    "limit": LimitReached,
    "cancelled": Cancelled,
}


def of(kind, message, link=None):
    """The exception for what the server says."""
    known = _KINDS.get(kind, UpstreamError)
    return ConsentRequired(message, link) if known is ConsentRequired else known(message)
