import PushModel
import SystemPort

// A process that ends by itself: the journeys it was working on record it.

extension DeviceState {
    mutating func ended(_ process: Int, _ end: ProcessEnd) {
        if let bundleID = owner(of: process) { emit(.processEnded(reason: end.description), app: bundleID) }
        if let bundleID = apps.first(where: { $0.value.process == process })?.key {
            self.end(bundleID, .notRunning, kills: false)
        }
        // The view that it provided closes with it.
        if expanded?.process == process { collapse() }
        died(process, by: end)
    }

    /// Adds the crash to the journeys that the process was working on.
    ///
    /// - Returns: the subjects that this explains.
    mutating func reportCrash(_ process: Int, _ end: ProcessEnd) -> Set<JourneySubject> {
        var reported: Set<JourneySubject> = []
        for (_, waiting) in events.of(process) {
            // The end of a service extension is reported separately.
            if case .extend = waiting.purpose { continue }
            if case .expire = waiting.purpose { continue }
            guard waiting.isPartOfJourney, let subject = waiting.subject, reported.insert(subject).inserted else {
                continue
            }
            report(.crashed(end.description), of: subject)
        }
        return reported
    }
}
