/// The operator's settings for the SDK link.
package struct LinkRules: Hashable, Sendable {
    /// The maximum number of custom messages waiting for a device; the newest are kept.
    package var waitingMessages = 5
    /// The time that a link has to log in; it is closed after at most twice as long (our choice).
    package var login = Duration.seconds(30)
    /// The registrations of an app accepted from one network per minute; 0 means no limit. Many phones share the address of their
    /// office or carrier (our choice).
    package var registrationsPerMinute = 600
    /// The limits for the tags of an app.
    package var tags = TagLimits()
}
