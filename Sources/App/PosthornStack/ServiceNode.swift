package import Crypto
package import Foundation
package import Logging
package import PushAPI
package import PushClock
package import PushModel
package import PushService
import PushStoreSQLite
package import ServiceLifecycle

/// The push service on its real parts: SQLite, the provider client, HTTP.
package struct ServiceNode: Sendable {
    package let core: ServiceCore
    package let vault: CredentialVault
    package let apps: AppDirectory
    /// Known once requests are answered.
    package let port = Announcement<Int>()
    private let store: SQLiteStore
    private let sender: ProviderSender
    private let api: PushAPI
    private let renewal: CertificateRenewal?

    /// Opens the database and reads it; starts nothing.
    ///
    /// - `database`: the path of the SQLite file, made if there is none.
    /// - `secret`: of this service: see ``DataFolder/secret()``.
    /// - `route`: where pushes go.
    /// - `scheduleCatchUp`: see ``ScheduleRules/catchUp``.
    /// - `retention`: how long what is over is kept.
    /// - `broadcastsPerDay`: see ``AcceptRules/broadcastsPerDay``.
    /// - `linkRules`: what the SDK link does.
    /// - `observer`: is told the service's own events as they happen.
    package init(
        database: String,
        secret: SymmetricKey,
        route: ProviderSender.Route,
        settings: PushAPI.Settings,
        clock: any CivilClock,
        scheduleCatchUp: TimeInterval = ScheduleRules().catchUp,
        retention: RetentionRules = RetentionRules(),
        broadcastsPerDay: Int? = nil,
        linkRules: LinkRules = LinkRules(),
        observer: (any JourneySink)? = nil,
        logger: Logger
    ) async throws {
        let keys = ServiceKeys(secret: secret)
        store = try SQLiteStore(path: database)
        vault = CredentialVault(store: store, keys: keys)
        apps = AppDirectory(store: store)
        sender = ProviderSender(vault: vault, route: route, clock: clock, logger: logger)
        core = try await ServiceCore(
            store: store,
            keys: keys,
            sender: sender,
            clock: clock,
            scheduleRules: ScheduleRules(zone: settings.timeZone, catchUp: scheduleCatchUp),
            retention: retention,
            certificates: CertificateReader(),
            acceptRules: AcceptRules(broadcastsPerDay: broadcastsPerDay, zone: settings.timeZone),
            linkRules: linkRules,
            observer: observer,
            logger: logger
        )
        api = PushAPI(core: core, settings: settings, logger: logger)
        renewal = settings.tls.map { CertificateRenewal(tls: $0, clock: clock, logger: logger) }
    }

    /// What has to run, in the order of starting: it is shut down in reverse, the API first.
    package var services: [any Service] {
        let application = api.application { [port] in port.make(.success($0)) }
        let renewals: [any Service] = renewal.map { [$0] } ?? []
        return renewals + [
            SenderService(sender: sender, store: store), core.journeyLog, core.links, core.dispatcher,
            core.scheduleRunner, core.housekeeper, application,
        ]
    }
}

/// Closes the connections to APNs and the database when everything that uses them has stopped.
private struct SenderService: Service {
    let sender: ProviderSender
    let store: SQLiteStore

    func run() async throws {
        do { try await gracefulShutdown() } catch is CancellationError {
            // Cancelled: the connections are closed just the same.
        }
        await sender.shutdown()
        try store.close()
    }
}
