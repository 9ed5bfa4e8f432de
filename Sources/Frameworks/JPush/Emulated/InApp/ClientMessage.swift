import PosthornClient

/// The client's messages, for files in which another module has a type of that name.
typealias ClientMessage = CustomMessage
