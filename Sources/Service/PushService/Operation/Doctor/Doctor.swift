import Foundation
import PushClock
import PushModel

/// Gathers the facts that only a running service has for `posthorn doctor`.
struct Doctor: Sendable {
    let store: any DeviceStore & DispatchStore & CallbackStore
    let registry: Registry
    let readiness: Readiness
    let journeys: JourneyQueries
    let reports: ReportQueries
    let messages: MessageQueries
    let laneRegistry: LaneRegistry
    let metrics: ServiceMetrics
    let sender: any PushSender
    let clock: any CivilClock

    /// The age in seconds of a due push from which the dispatcher is behind.
    private static let lagLimit: TimeInterval = 60

    func service() async throws -> [Finding] {
        let report = await readiness.report()
        let queue: Finding
        do { queue = Self.queue(try await lanes(), at: clock.date) } catch let error as StoreError {
            queue = Finding(of: "queue", .unknown, .queueUnknown, with: ["detail": error])
        }
        return Self.findings(of: report) + [queue]
    }

    static func findings(of report: Readiness.Report) -> [Finding] {
        let service = Finding(of: "service", .ok, report.isDraining ? .serviceDrains : .serviceRuns)
        let store =
            report.store.map { Finding(of: "store", .wrong, .storeProblem, with: ["detail": $0]) }
            ?? Finding(of: "store", .ok, .storeRight)
        let apns = APNSEnvironment.allCases.map { environment in
            let check = "apns.\(environment)"
            let values = ["environment": environment.rawValue]
            guard !report.unused.contains(environment) else {
                return Finding(of: check, .ok, .apnsUnused, with: values)
            }
            return report.apns[environment] == nil
                ? Finding(of: check, .ok, .apnsReached, with: values)
                : Finding(of: check, .wrong, .apnsUnreachable, with: values)
        }
        return [service, store] + apns
    }

    static func queue(_ lanes: [WaitingLane], at now: Date) -> Finding {
        let paused = lanes.count { $0.pausedUntil.map { $0 > now } == true }
        // Pauses have a sentence of their own, and say nothing of the dispatcher.
        let oldest = lanes.lazy.filter { $0.pausedUntil == nil }.map(\.dueAt).min()
        let lag = oldest.map { max(now.timeIntervalSince($0), 0) } ?? 0
        if lag > lagLimit { return Finding(of: "queue", .warning, .queueLate, with: ["seconds": Int(lag)]) }
        guard paused == 0 else { return Finding(of: "queue", .warning, .queuePaused, with: ["count": paused]) }
        return Finding(of: "queue", .ok, .queueRight, with: ["seconds": Int(lagLimit)])
    }

    /// Returns the device with this registration id, of the given app or of any.
    func device(_ id: RegistrationID, of app: App?) async throws -> (RegisteredDevice, App)? {
        let apps: [App] = if let app { [app] } else { registry.apps }
        for app in apps {
            if let found = registry.device(id, of: app.id), let device = try await store.device(found) {
                return (device, app)
            }
        }
        return nil
    }

    /// Returns the app with this push; nil if none has it.
    func app(of message: MessageID) async throws -> App? {
        for app in registry.apps where try await reports.counts(of: [message], app: app.id)[message] != nil {
            return app
        }
        return nil
    }

    func findings(of message: MessageID, to device: RegisteredDevice?, _ app: App) async throws -> [Finding] {
        var facts = MessageFacts(message: message, hasDevice: device != nil)
        facts.counts = try await reports.counts(of: [message], app: app.id)[message]
        if let stored = try await messages.store.message(message, of: app.id)?.message {
            facts.payload = PayloadFacts(stored, to: device.map { ($0, registry.presence(of: $0.id, at: clock.date)) })
        }
        if let device {
            let name = registry.name(of: device.id)
            facts.journey = try await journeys.journey(of: message, to: name, app: app)
            if facts.counts == nil { facts.absence = try await journeys.absence(of: message, to: name, app: app) }
        }
        return facts.findings()
    }
}
