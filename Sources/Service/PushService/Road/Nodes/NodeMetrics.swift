import Metrics

/// The metrics of a node among others; a service that is alone reports none of them.
///
/// * `push.node.heartbeats`: renewals of the lease, by `push.result`: `renewed`, `fenced` (the membership was over), `failed` (the store
///   did not answer).
/// * `push.node.heartbeat.duration`: the time until the store has answered a heartbeat.
/// * `push.node.alive`: the number of nodes with a valid lease, including this one.
/// * `push.node.roles`: the number of roles that this node has for all.
/// * `push.node.feed.changes`: changes by other nodes that were applied.
/// * `push.node.feed.lag`: the age of the oldest change of a page when it was read.
/// * `push.node.bell`: rings by `push.direction`: `sent`, `heard` (of other nodes), `failed` (the others look within a second).
final class NodeMetrics: Sendable {
    /// The result of a heartbeat.
    enum BeatResult: String, CaseIterable { case renewed, fenced, failed }

    private let beats = BeatResult.allCases.map { result in
        Counter(label: "push.node.heartbeats", dimensions: [("push.result", result.rawValue)])
    }
    private let beatDuration = Timer(label: "push.node.heartbeat.duration", preferredDisplayUnit: .seconds)
    private let alive = Gauge(label: "push.node.alive")
    private let roles = Gauge(label: "push.node.roles")
    private let changes = Counter(label: "push.node.feed.changes")
    private let lag = Timer(label: "push.node.feed.lag", preferredDisplayUnit: .seconds)
    private let sent = NodeMetrics.bell("sent")
    private let heard = NodeMetrics.bell("heard")
    private let failed = NodeMetrics.bell("failed")

    private static func bell(_ direction: String) -> Counter {
        Counter(label: "push.node.bell", dimensions: [("push.direction", direction)])
    }

    /// Counts a heartbeat.
    func beat(_ result: BeatResult) {
        guard let place = BeatResult.allCases.firstIndex(of: result) else { return }
        beats[place].increment()
    }

    /// Records an answered heartbeat.
    func renewed(after duration: Duration, aliveNodes: Int) {
        beat(.renewed)
        beatDuration.record(duration: duration)
        alive.record(aliveNodes)
    }

    func holds(_ count: Int) { roles.record(count) }

    /// Records a page of the logs that was read and applied.
    func applied(_ page: FeedPage) {
        guard !page.entries.isEmpty else { return }
        changes.increment(by: page.entries.count)
        lag.recordMilliseconds(page.age)
    }

    func rang(isHeard: Bool) { (isHeard ? sent : failed).increment() }
    func heardRing() { heard.increment() }
}
