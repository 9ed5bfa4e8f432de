import Foundation
import Metrics
import PushModel
import Synchronization

/// The service's metrics, reported through swift-metrics to the backend that is set up when the service is created.
///
/// * `push.service.pushes`: accepted pushes, one for each `msg_id`.
/// * `push.service.audience`: the number of devices of a push.
/// * `push.service.messages`: custom messages that devices have acknowledged, one for each device.
/// * `push.service.notifications`: pushes to single devices, by `push.outcome`: `accepted` and `refused` by APNs, `retried` (left
///   undecided, to be sent again), `paused` (held back until the app's credential works), `expired` and `suppressed` (not sent).
/// * `push.service.step.duration`: the time from the preparation of a step until APNs has answered all its pushes.
/// * `push.service.step.devices`: the number of devices in a step.
/// * `push.service.checkpoint.duration`: the time until the outcomes of finished steps are on disk.
/// * `push.service.lanes`: lanes by `push.state`: `working`, `waiting` (with due pushes and no place), `paused`.
/// * `push.service.lanes.lag`: the age of the oldest push that is due and not yet taken up, in seconds; 0 if there is none.
/// * `push.service.schedules`: firings of schedules, by `push.result`: `fired`, `failed` (without a push).
/// * `push.service.callbacks`: events for callback addresses, by `push.result`: `delivered`, `retried` (delivery failed and will be
///   repeated), `lost` (given up).
/// * `push.service.links`: the number of open SDK links.
/// * `push.service.reports.waiting`: journey reports in memory that are not on disk yet.
/// * `push.service.acknowledgements.waiting`: acknowledgements of custom messages in memory that are not on disk yet.
///
/// A class, so that a copy costs one reference.
final class ServiceMetrics: Sendable {
    /// Whether metrics are collected. A sandbox and the tests collect none, and then a push should not pay for them.
    let isOn = !(MetricsSystem.factory is NOOPMetricsHandler)
    private let pushes = Counter(label: "push.service.pushes")
    private let audience = Recorder(label: "push.service.audience")
    private let messages = Counter(label: "push.service.messages")
    private let accepted = ServiceMetrics.notifications("accepted")
    private let refused = ServiceMetrics.notifications("refused")
    private let retried = ServiceMetrics.notifications("retried")
    private let paused = ServiceMetrics.notifications("paused")
    private let expired = ServiceMetrics.notifications("expired")
    private let suppressed = ServiceMetrics.notifications("suppressed")
    private let stepDuration = Timer(label: "push.service.step.duration", preferredDisplayUnit: .seconds)
    private let stepDevices = Recorder(label: "push.service.step.devices")
    private let checkpointDuration = Timer(label: "push.service.checkpoint.duration", preferredDisplayUnit: .seconds)
    private let workingLanes = ServiceMetrics.lanes("working")
    private let waitingLanes = ServiceMetrics.lanes("waiting")
    private let pausedLanes = ServiceMetrics.lanes("paused")
    private let lag = Gauge(label: "push.service.lanes.lag")
    private let fired = ServiceMetrics.schedules("fired")
    private let failed = ServiceMetrics.schedules("failed")
    private let callbacks = CallbackResult.allCases.map { result in
        Counter(label: "push.service.callbacks", dimensions: [("push.result", result.rawValue)])
    }
    private let links = Gauge(label: "push.service.links")
    private let openLinks = Mutex(0)
    private let waitingReports = Gauge(label: "push.service.reports.waiting")
    private let waitingAcknowledgements = Gauge(label: "push.service.acknowledgements.waiting")

    private static func notifications(_ outcome: String) -> Counter {
        Counter(label: "push.service.notifications", dimensions: [("push.outcome", outcome)])
    }

    private static func lanes(_ state: String) -> Gauge {
        Gauge(label: "push.service.lanes", dimensions: [("push.state", state)])
    }

    private static func schedules(_ result: String) -> Counter {
        Counter(label: "push.service.schedules", dimensions: [("push.result", result)])
    }

    /// Returns the time for a measurement that begins; nil if metrics are not collected.
    var start: ContinuousClock.Instant? { isOn ? .now : nil }

    /// Counts the pushes that were stored together, without those that repeat earlier ones according to `stored`. A push in a batch
    /// is for one device.
    func accepted(_ prepared: [PreparedPush], _ stored: [StoredPush]? = nil) {
        guard isOn else { return }
        var count = 0
        for place in prepared.indices {
            let stored = stored?[place]
            guard stored?.earlier == nil else { continue }
            if let batch = prepared[place].message.batch {
                let new = batch.entries.count - (stored?.batched.count { $0 != nil } ?? 0)
                for _ in 0..<new { audience.record(1) }
                count += new
            } else {
                audience.record(prepared[place].chunks.reduce(0) { $0 + $1.ordinals.ordinals.count })
                count += 1
            }
        }
        if count > 0 { pushes.increment(by: count) }
    }

    /// The result of a delivery to a callback address.
    enum CallbackResult: String, CaseIterable { case delivered, retried, lost }

    /// Counts events for a callback address.
    func calledBack(_ result: CallbackResult, _ count: Int) {
        guard let place = CallbackResult.allCases.firstIndex(of: result) else { return }
        callbacks[place].increment(by: count)
    }

    /// Counts the deliveries in acknowledgements that are on disk.
    func delivered(_ acknowledgements: Acknowledgements) {
        guard isOn, !acknowledgements.deliveries.isEmpty else { return }
        messages.increment(by: acknowledgements.deliveries.values.reduce(0) { $0 + $1.count })
    }

    /// Records a step whose outcomes are known.
    func ended(_ step: LanePlan.Step, with report: StepReport, since start: ContinuousClock.Instant?) {
        guard let start else { return }
        stepDuration.record(duration: start.duration(to: .now))
        stepDevices.record(step.count)
        let tally = report.tally
        for (counter, count) in [
            (accepted, report.sentCount), (refused, tally.refused), (retried, tally.undecided), (paused, tally.paused),
            (suppressed, tally.suppressed),
        ] where count > 0 { counter.increment(by: count) }
    }

    /// Counts the pushes of a chunk that is closed without being sent.
    func closed(_ chunk: Chunk, as kind: JourneyEvent.Kind) {
        guard isOn else { return }
        let counter = kind == .expired ? expired : suppressed
        counter.increment(by: chunk.placesLeft.count)
    }

    func checkpointed(since start: ContinuousClock.Instant?) {
        if let start { checkpointDuration.record(duration: start.duration(to: .now)) }
    }

    /// Records the lanes, and their lag in seconds.
    func lanes(working: Int, waiting: Int, paused: Int, lag: Double) {
        self.lag.record(lag)
        workingLanes.record(working)
        waitingLanes.record(waiting)
        pausedLanes.record(paused)
    }

    /// Counts the firings in outcomes of schedules that are on disk.
    func fired(_ steps: [ScheduleStep]) {
        guard isOn else { return }
        let firings = steps.compactMap(\.firing)
        let failures = firings.count { $0.error != nil }
        if firings.count > failures { fired.increment(by: firings.count - failures) }
        if failures > 0 { failed.increment(by: failures) }
    }

    /// Must be called under the lock of `waiting`, so that the last record is the newest.
    func waiting(_ waiting: JourneyLog.Waiting) {
        guard isOn else { return }
        waitingReports.record(waiting.reports.count + waiting.reportsInWriting)
        waitingAcknowledgements.record(waiting.acknowledgements.count + waiting.writing.count)
    }

    func linkOpened() { countLinks(1) }
    func linkClosed() { countLinks(-1) }

    /// The number of open SDK links, which is counted without a backend as well.
    var linkCount: Int { openLinks.withLock { $0 } }

    private func countLinks(_ change: Int) {
        // Recorded under the lock, so that the last record is the newest.
        openLinks.withLock { count in
            count += change
            if isOn { links.record(count) }
        }
    }
}
