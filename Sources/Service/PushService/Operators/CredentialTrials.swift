import Foundation
import PushClock
import PushModel
import Synchronization

/// Tries credentials at APNs, those of an app once in ten seconds for each environment.
///
/// A trial is a push that APNs refuses: a provider that sends many of them can be blocked.
final class CredentialTrials: Sendable {
    /// The seconds from one trial to the next.
    static let pause: TimeInterval = 10

    private struct Key: Hashable {
        var app: App.ID
        var environment: APNSEnvironment
    }

    private struct Trial {
        var at: Date
        var result: Announcement<CredentialTest>
    }

    private let tester: any CredentialTester
    private let clock: any CivilClock
    /// The trials within the last ``pause``.
    private let trials = Mutex<[Key: Trial]>([:])

    init(tester: any CredentialTester, clock: any CivilClock) { (self.tester, self.clock) = (tester, clock) }

    /// Tries the credentials of an app.
    ///
    /// - Throws: ``OperatorError`` if one of them was tried a moment ago.
    func test(_ app: App, _ environments: [APNSEnvironment]) async throws(OperatorError) -> [CredentialTest] {
        let now = clock.date
        let begun: Result<[Trial], OperatorError> = trials.withLock { trials in
            Self.tidy(&trials, at: now)
            let last = environments.compactMap { trials[Key(app: app.id, environment: $0)]?.at }.max()
            if let last {
                let seconds = max(1, Int((Self.pause - now.timeIntervalSince(last)).rounded(.up)))
                return .failure(
                    OperatorError(.tooManyRequests, Remark(.trialTooSoon, ["app": app.key]), retryAfter: seconds)
                )
            }
            return .success(environments.map { Self.begin(app, $0, in: &trials, at: now) })
        }
        var results: [CredentialTest] = []
        for (environment, trial) in zip(environments, try begun.get()) {
            results.append(await run(trial, of: app, environment))
        }
        return results
    }

    /// Returns the answer to the trial of a moment ago, or else to a new one; nil if the task is cancelled.
    func latest(of app: App, _ environment: APNSEnvironment) async -> CredentialTest? {
        let now = clock.date
        let (trial, isNew) = trials.withLock { trials in
            Self.tidy(&trials, at: now)
            if let last = trials[Key(app: app.id, environment: environment)] { return (last, false) }
            return (Self.begin(app, environment, in: &trials, at: now), true)
        }
        return isNew ? await run(trial, of: app, environment) : try? await trial.result.value
    }

    private static func begin(
        _ app: App,
        _ environment: APNSEnvironment,
        in trials: inout [Key: Trial],
        at now: Date
    ) -> Trial {
        let trial = Trial(at: now, result: Announcement())
        trials[Key(app: app.id, environment: environment)] = trial
        return trial
    }

    private static func tidy(_ trials: inout [Key: Trial], at now: Date) {
        trials = trials.filter { !$0.value.at.isOver(after: pause, at: now) }
    }

    private func run(_ trial: Trial, of app: App, _ environment: APNSEnvironment) async -> CredentialTest {
        let result = await tester.test(app, environment)
        trial.result.make(.success(result))
        // Without a usable credential nothing was sent.
        if result.remarks.contains(where: { [.trialWithoutCredential, .trialUnusable].contains($0.code) }) {
            trials.withLock { $0[Key(app: app.id, environment: environment)] = nil }
        }
        return result
    }

    /// Must be called after a change of an app's credentials: the new ones can be tried at once.
    func credentialsChanged(of app: App.ID) async {
        trials.withLock { $0 = $0.filter { $0.key.app != app } }
        await tester.credentialsChanged(of: app)
    }
}

/// Lets the service use changed credentials from the next push on.
struct CredentialChangeNotifier: Sendable {
    /// Nil if no service runs on the data.
    let trials: CredentialTrials?
    /// Wakes the dispatcher: pushes may wait for a credential.
    let signal: (any WorkSignal)?
    /// Nil if no service runs on the data.
    let certificates: CertificateWatch?
    /// Tells other nodes.
    var announce: @Sendable () -> Void = {}

    /// Must be called once the change is on disk.
    func credentialsChanged(of app: App.ID) async {
        announce()
        await applyChange(of: app)
    }

    /// Lets this node use credentials that another node has changed.
    func applyChange(of app: App.ID) async {
        await trials?.credentialsChanged(of: app)
        signal?.raise()
        await certificates?.measure()
    }
}
