import CallbackMatrix
import PosthornPhone
import PushClock
import PushModel
import SystemPort
import UIKit

/// The app that a matrix is run with.
@MainActor
struct MatrixSubject {
    nonisolated static let categoryPrefix = "posthorn."
    /// The time in which a completion handler may be called, as on a phone.
    private static let patience = Duration.seconds(30)

    let options: CallbackMatrix.Options
    let serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)?
    let prepare: (@MainActor @Sendable () async throws -> Void)?
    let delegate: @MainActor @Sendable () -> any UIApplicationDelegate

    /// Whether the app can be in a case: an extension cannot run that is not there.
    func allows(_ planned: MatrixPlan.Planned) -> Bool {
        !planned.payload.rawValue.contains("mutable-content") || serviceExtension != nil
    }

    /// Returns the category that the options name, as the app registers it; nil if they name none.
    ///
    /// - Throws: a problem if the app does not register it, or an error of the app's preparation.
    func category(on system: SystemProfile) async throws -> CategoryRecord? {
        guard let name = options.category else { return nil }
        return try await onPhone(system, answering: .granted) { phone in
            await phone.open(options.app)
            try await prepare(phone, for: nil)
            let categories = phone.device.categories(of: options.app.bundleID)
            guard let found = categories.last(where: { $0.identifier == name }) else {
                throw CallbackMatrix.Problem.noSuchCategory(name, registered: categories.map(\.identifier).sorted())
            }
            return found
        }
    }

    /// Runs a case, and the one of an app that implements all methods.
    func run(_ planned: MatrixPlan.Planned, on system: SystemProfile) async throws -> CallbackMatrix.Row {
        let complete = await watched { await MatrixStage(planned.original, system: system).run() }
        return try await onPhone(system, answering: planned.permission) { phone in
            let stage = MatrixStage(planned.row, on: phone, with: options.app)
            let outcome = try await stage.run { try await prepare(phone, for: planned.row) }
            await phone.advance(by: Self.patience)
            let late = phone.journeys.events(of: outcome.id)
            let report = MatrixReport(
                planned: planned,
                system: system,
                outcome: outcome,
                journey: late,
                complete: complete,
                hasCentreDelegate: hasCentreDelegate(phone)
            )
            return report.row
        }
    }

    private func onPhone<Result>(
        _ system: SystemProfile,
        answering permission: CallbackMatrix.Permission,
        _ body: (TestPhone) async throws -> Result
    ) async throws -> Result {
        try await watched {
            let phone = TestPhone(
                system,
                prompts: permission == .denied ? .deny : .allow,
                clock: options.date.map { VirtualClock(date: $0) } ?? VirtualClock()
            )
            phone.install(options.app, serviceExtension: serviceExtension, delegate: delegate)
            return try await body(phone)
        }
    }

    /// Runs `body` with a watch of its own, so that a test which fails does not come with the stories of hundreds of phones.
    private func watched<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let watch = PhoneWatch()
        defer { watch.end() }
        return try await watch.run(body)
    }

    // MARK: The app after its first launch

    private func prepare(_ phone: TestPhone, for row: MatrixCase?) async throws {
        let bundleID = options.app.bundleID
        if let prepare { try await phone.device.inside(bundleID) { try await prepare() } }
        await phone.settle()
        guard let row else { return }
        let hasCentre = phone.device.profile.hasNotificationCenter
        let hasAsked = phone.device.settings(of: bundleID)?.authorization != .notDetermined
        if options.category == nil, hasCentre { await addCategories(phone) }
        inside(phone) {
            if hasCentre {
                if options.asksPermission, !hasAsked { MatrixRequests.askPermission() }
            } else if options.category == nil || (options.asksPermission && !hasAsked) {
                MatrixRequests.registerLegacySettings(prefix: Self.categoryPrefix)
            }
        }
        await phone.settle()
        guard row.isLocal else { return }
        inside(phone) {
            if hasCentre {
                MatrixRequests.schedule(row.category, hasSound: true, userInfo: row.additions)
            } else {
                MatrixRequests.scheduleLegacy(row.category, hasSound: true, userInfo: row.additions)
            }
        }
        await phone.settle()
    }

    /// Adds the matrix's categories to those of the app.
    private func addCategories(_ phone: TestPhone) async {
        await phone.device.inside(options.app.bundleID) {
            let center = UNUserNotificationCenter.current()
            let own = await center.notificationCategories()
            center.setNotificationCategories(MatrixRequests.categories(prefix: Self.categoryPrefix).union(own))
        }
    }

    private func hasCentreDelegate(_ phone: TestPhone) -> Bool? {
        guard phone.device.profile.hasNotificationCenter else { return nil }
        return phone.device.inside(options.app.bundleID) { UNUserNotificationCenter.current().delegate != nil }
    }

    private func inside(_ phone: TestPhone, _ body: @MainActor () -> Void) {
        phone.device.inside(options.app.bundleID, body)
    }
}
