/// What an operator sets about the SDK link.
package struct LinkRules: Hashable, Sendable {
    /// Custom messages that wait for a device at most: the newest ones.
    ///
    /// Source: JPush REST API v3, "Push API", "Message": five on the hosted service.
    package var waitingMessages: Int
    /// How long a link may take to its login; it is closed when twice that is over (our choice).
    package var login: Duration
    /// Registrations of an app that are taken from one network in a minute; 0 sets no limit. Many phones share the address of their
    /// office or carrier (our choice).
    package var registrationsPerMinute: Int

    package init(
        waitingMessages: Int = 5,
        login: Duration = .seconds(30),
        registrationsPerMinute: Int = 600
    ) {
        self.waitingMessages = waitingMessages
        self.login = login
        self.registrationsPerMinute = registrationsPerMinute
    }
}
