/// What an operator sets about the SDK link.
package struct LinkRules: Hashable, Sendable {
    /// Custom messages that wait for a device at most: the newest ones.
    ///
    /// Source: JPush REST API v3, "Push API", "Message": five on the hosted service.
    package var waitingMessages: Int

    package init(waitingMessages: Int = 5) { self.waitingMessages = waitingMessages }
}
