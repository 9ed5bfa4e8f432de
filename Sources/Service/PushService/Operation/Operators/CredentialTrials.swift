import Foundation
import PushClock
import PushModel
import Synchronization

/// Tries credentials at APNs, each once in ten seconds for an environment and a topic.
///
/// A trial is a push that APNs refuses: a provider that sends many of them can be blocked.
final class CredentialTrials: Sendable {
    /// The seconds from one trial to the next.
    static let pause: TimeInterval = 10

    private struct Key: Hashable {
        var app: App.ID
        var environment: APNSEnvironment
        var topic: TopicKind
        var credential: SealedCredential.ID?

        init(_ trial: CredentialTrial) {
            app = trial.app.id
            environment = trial.environment
            topic = trial.topic
            credential = trial.credential
        }
    }

    private struct Begun {
        var at: Date
        var result: Announcement<CredentialTest>
    }

    private let tester: any CredentialTester
    private let clock: any CivilClock
    /// The trials within the last ``pause``.
    private let trials = Mutex<[Key: Begun]>([:])

    init(tester: any CredentialTester, clock: any CivilClock) {
        self.tester = tester
        self.clock = clock
    }

    /// Tries credentials, beside each other.
    ///
    /// - Returns: the answers, in the order of `asked`.
    /// - Throws: ``OperatorError`` if one of them was tried a moment ago.
    func test(_ asked: [CredentialTrial]) async throws(OperatorError) -> [CredentialTest] {
        let now = clock.date
        let begun: Result<[Begun], OperatorError> = trials.withLock { trials in
            Self.tidy(&trials, at: now)
            if let last = asked.compactMap({ trials[Key($0)]?.at }).max(), let app = asked.first?.app {
                let seconds = max(1, Int((Self.pause - now.timeIntervalSince(last)).rounded(.up)))
                return .failure(
                    OperatorError(.tooManyRequests, Remark(.trialTooSoon, ["app": app.key]), retryAfter: seconds)
                )
            }
            return .success(asked.map { Self.begin($0, in: &trials, at: now) })
        }
        let trials = zip(asked, try begun.get())
        return await withTaskGroup { group in
            for (place, (trial, begun)) in trials.enumerated() {
                group.addTask { (place, await self.run(begun, of: trial)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the answer to the trial of a moment ago, or else to a new one; nil if the task is cancelled.
    func latest(_ trial: CredentialTrial) async -> CredentialTest? {
        let now = clock.date
        let (begun, isNew) = trials.withLock { trials in
            Self.tidy(&trials, at: now)
            if let last = trials[Key(trial)] { return (last, false) }
            return (Self.begin(trial, in: &trials, at: now), true)
        }
        return isNew ? await run(begun, of: trial) : try? await begun.result.value
    }

    private static func begin(_ trial: CredentialTrial, in trials: inout [Key: Begun], at now: Date) -> Begun {
        let begun = Begun(at: now, result: Announcement())
        trials[Key(trial)] = begun
        return begun
    }

    private static func tidy(_ trials: inout [Key: Begun], at now: Date) {
        trials = trials.filter { !$0.value.at.isOver(after: pause, at: now) }
    }

    private func run(_ begun: Begun, of trial: CredentialTrial) async -> CredentialTest {
        let result = await tester.test(trial)
        begun.result.make(.success(result))
        // Without a usable credential nothing was sent.
        if result.remarks.contains(where: { [.trialWithoutCredential, .trialUnusable].contains($0.code) }) {
            trials.withLock { $0[Key(trial)] = nil }
        }
        return result
    }

    /// Must be called after a change of an app's credentials: the new ones can be tried at once.
    func credentialsChanged(of app: App.ID) async {
        forget(app)
        await tester.credentialsChanged(of: app)
    }

    /// Lets the credentials of an app be tried at once.
    func forget(_ app: App.ID) { trials.withLock { $0 = $0.filter { $0.key.app != app } } }

    /// Must be called when another credential of an app may go first from now on.
    func useChangedCredentials(of app: App.ID) async { await tester.credentialsChanged(of: app) }
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
