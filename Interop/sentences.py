"""What people read when something fails: sentences, and not how Foundation, SQLite and NIO describe their errors."""

RAW = (
    "Error Domain", "NSCocoa", "NSPOSIX", "UserInfo", "not an error", "ConnectionFailure", "NIOConnectionError", "errno:",
    "The operation could not be completed", "The operation couldn", "(error ", "DatabaseError", "Fatal error",
)


def assert_sentences(said):
    """Asserts that a message is in words of people."""
    assert said.strip(), "nothing is said"
    for raw in RAW:
        assert raw not in said, said
