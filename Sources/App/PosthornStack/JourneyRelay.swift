package import PushModel
import Synchronization

/// Forwards journey events to all sinks that were added.
package final class JourneyRelay: JourneySink {
    private let sinks = Mutex<[any JourneySink]>([])

    package init() {}

    package func add(_ sink: any JourneySink) { sinks.withLock { $0.append(sink) } }

    package func record(_ event: JourneyEvent, of subject: JourneySubject) {
        for sink in sinks.withLock({ $0 }) { sink.record(event, of: subject) }
    }
}
