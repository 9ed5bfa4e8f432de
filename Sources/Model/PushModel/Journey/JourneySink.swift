/// The receiver of journey events from service, gateway and device.
///
/// `record` may be called from any thread, returns at once and keeps the order of calls from one thread.
public protocol JourneySink: Sendable {
    /// Takes an event of a push or local notification; called on any thread, in the order of the events of a subject.
    func record(_ event: JourneyEvent, of subject: JourneySubject)
}
