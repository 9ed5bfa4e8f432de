import ArgumentParser
import Foundation
import Logging
import NetworkSupport
import PosthornStack
import PushAPI
import PushClock
import PushModel
import PushService
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Reads the settings of `posthorn serve` again, and applies those that can change while it runs.
final class SettingsReload: Sendable {
    private struct State {
        var values: [SettingKey: String]
        var node: ServiceNode?
    }

    private let file: String?
    private let flags: [SettingKey: String]
    private let settings: ServeSettings
    private let logLevel: Adjustable<Logger.Level>
    private let logger: Logger
    private let state: Mutex<State>
    private let reading = AsyncMutex()

    /// - Parameters:
    ///   - file: the path of the file that `--config` names.
    ///   - flags: the values from the command line, which do not change.
    ///   - settings: the settings with which the service was started.
    ///   - logLevel: the level of the service's log.
    ///   - logger: receives what was applied.
    init(
        from file: String?,
        flags: [SettingKey: String],
        settings: ServeSettings,
        logLevel: Adjustable<Logger.Level>,
        logger: Logger
    ) {
        self.file = file
        self.flags = flags
        self.settings = settings
        self.logLevel = logLevel
        self.logger = logger
        state = Mutex(State(values: settings.values))
    }

    /// The keys that take effect without a restart.
    private static let live: Set<SettingKey> = [
        .httpCallsPerMinute, .httpFailedLogins, .operatorChangesPerMinute, .portalDevicesWithoutPassword,
        .pushBroadcastsPerDay, .pushTags, .linkRegistrationsPerMinute, .linkTags, .callbackWaiting, .retentionMessages,
        .retentionSchedules, .retentionDevices, .retentionUsers, .retentionChanges, .retentionAudit, .logLevel,
    ]
    /// The keys whose values are not shown.
    private static let secret: Set<SettingKey> = [
        .store, .operatorToken, .metricsToken, .apnsEventsToken, .apnsProxy, .callbackProxy,
    ]

    /// Must be called once, before a reload.
    func begin(with node: ServiceNode) { state.withLock { $0.node = node } }

    /// Applies the settings that can change while the service runs, and returns what has changed.
    ///
    /// - Throws: ``OperatorError`` if a setting cannot be used; then nothing has changed.
    func reload() async throws(OperatorError) -> ReloadAnswer {
        let result: Result<ReloadAnswer, OperatorError> = await reading.withLock {
            do { return .success(try await self.reread()) } catch {
                return .failure(OperatorError(.badRequest, "Nothing has changed: \(error)"))
            }
        }
        switch result {
        case .success(let answer): logger.notice("The settings were read again", metadata: Self.metadata(answer))
        case .failure(let error): logger.error("The settings cannot be used", metadata: ["error": "\(error)"])
        }
        return try result.get()
    }

    private func reread() async throws -> ReloadAnswer {
        let new = try await ServeSettings(file: file, flags: flags)
        let isRenewed = try renewCertificate(new)
        var applied: [ReloadAnswer.Change] = []
        var later: [ReloadAnswer.Change] = []
        let node = state.withLock { state in
            for key in SettingKey.allCases where state.values[key] != new.values[key] {
                let change = Self.change(of: key, from: state.values[key], to: new.values[key])
                if Self.live.contains(key) {
                    applied.append(change)
                    state.values[key] = new.values[key]
                } else {
                    later.append(change)
                }
            }
            return state.node
        }
        logLevel.value = new.logLevel
        node?.apply(new.node())
        let certificate = isRenewed.map { $0 ? "renewed" : "unchanged" }
        return ReloadAnswer(applied: applied, needsRestart: later, certificate: certificate)
    }

    /// Reads the certificate's files again, unless they are at other paths now, which needs a restart.
    ///
    /// - Returns: whether the certificate was renewed; nil without one.
    private func renewCertificate(_ new: ServeSettings) throws -> Bool? {
        guard let tls = settings.api.tls else { return nil }
        let isMoved = [SettingKey.httpCert, .httpKey].contains { settings.values[$0] != new.values[$0] }
        // TLS validates against the system time, regardless of the service's clock.
        return isMoved ? false : try tls.renew(at: Date())
    }

    private static func change(of key: SettingKey, from old: String?, to new: String?) -> ReloadAnswer.Change {
        func shown(_ value: String?) -> String? { value.map { secret.contains(key) ? "(secret)" : $0 } }
        return ReloadAnswer.Change(key: key.rawValue, from: shown(old), to: shown(new))
    }

    private static func metadata(_ answer: ReloadAnswer) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        for (name, changes) in [("applied", answer.applied), ("needs_restart", answer.needsRestart)] {
            if !changes.isEmpty { metadata[name] = "\(changes.map(\.key).joined(separator: ", "))" }
        }
        if let certificate = answer.certificate { metadata["certificate"] = "\(certificate)" }
        return metadata
    }
}

/// Reads the settings again at each SIGHUP.
struct HangupWatch: Service {
    let reload: SettingsReload
    /// The signals since the start of the process.
    let hangups: UnixSignalsSequence

    func run() async throws {
        for await _ in hangups.cancelOnGracefulShutdown() {
            // The log has the error.
            _ = try? await reload.reload()
        }
    }
}

struct Reload: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Makes a running service reload its settings.",
        discussion: """
            Reads the file of --config again, and the files of the TLS certificate. Limits of calls, logins, registrations and \
            broadcasts, retention and log level change at once; other settings are named, and need a restart. If a setting cannot \
            be used, nothing changes. SIGHUP does the same, with the result in the log.
            """
    )

    @OptionGroup var options: OperatorOptions

    var request: OperatorRequest { .settingsReload }

    func tell(_ answer: ReloadAnswer) {
        for change in answer.applied { printLine("Applied        \(Self.line(change))") }
        for change in answer.needsRestart { printLine("Needs restart  \(Self.line(change))") }
        if answer.applied.isEmpty { printLine("No setting that can change while the service runs has changed.") }
        if let certificate = answer.certificate { printLine("Certificate    \(certificate)") }
    }

    private static func line(_ change: ReloadAnswer.Change) -> String {
        "\(change.key): \(change.from ?? "the default") → \(change.to ?? "the default")"
    }
}
