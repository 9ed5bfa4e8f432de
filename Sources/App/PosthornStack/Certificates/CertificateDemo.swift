import APNSGateway
package import APNSProvider
import AppInstallation
import DeviceLinkNIO
import Foundation
package import Logging
import NIOPosix
import PushClock
import PushDevice
package import PushModel
package import PushService
package import UnixSignals

/// A demonstration of the three settings that must match. It sends one push for each combination of the app's build, the
/// certificate and the target environment, through a real gateway and with one phone per build.
package struct CertificateDemo: Sendable {
    package static let bundleID = "com.example.shop"

    /// One push.
    package struct Attempt: Hashable, Sendable {
        /// The environment in the profile of the phone's app.
        package var build: APNSEnvironment
        package var certificate: APNSEnvironment
        package var pushedTo: APNSEnvironment

        package var agrees: Bool { build == pushedTo && certificate == pushedTo }

        /// All eight combinations.
        package static let all = APNSEnvironment.allCases.flatMap { build in
            APNSEnvironment.allCases.flatMap { certificate in
                APNSEnvironment.allCases.map { Attempt(build: build, certificate: certificate, pushedTo: $0) }
            }
        }
    }

    /// The result of one push.
    package struct Result: Sendable {
        package var attempt: Attempt
        package var outcome: APNSOutcome
        /// Whether the phone showed a banner.
        package var isShown: Bool
    }

    /// The repair of a push that failed because the settings did not match.
    package struct Repair: Sendable {
        package var broken: Attempt
        /// The findings of `posthorn doctor` about the files of ``broken``.
        package var before: [Finding]
        package var after: [Finding]
        /// The push after the repair.
        package var result: Result
    }

    package struct Report: Sendable {
        /// In the order of ``Attempt/all``.
        package var results: [Result]
        package var repair: Repair
    }

    private let gateway: GatewayNode
    private let papers: DeveloperFiles
    private let clock = SystemClock()

    /// Creates the certificates and profiles, switches the phones on, sends the pushes, and repairs one of those that failed.
    ///
    /// - Parameters:
    ///   - folder: the folder of the gateway's authority.
    ///   - signals: the signals that end the run.
    ///   - logger: the logger of the gateway and the clients.
    ///   - tell: receives each result as it arrives.
    /// - Returns: all results, and the repair.
    /// - Throws: ``Failure`` when a phone gets no token, or does not show an accepted push, within 20 seconds.
    package static func run(
        folder: String,
        signals: [UnixSignal] = [],
        logger: Logger,
        tell: @escaping @Sendable (Result) -> Void
    ) async throws -> Report {
        let gateway = try await GatewayNode.start(
            folder: folder,
            mail: .memory,
            configuration: GatewayServer.Configuration(),
            clock: SystemClock(),
            sink: nil,
            logger: logger
        )
        let papers = try DeveloperFiles(bundleID: bundleID, authority: gateway.authority, at: SystemClock().date)
        let story = CertificateDemo(gateway: gateway, papers: papers)
        return try await withServices([gateway.server], signals: signals, logger: logger) {
            try await story.run(logger: logger, tell: tell)
        }
    }

    private func run(logger: Logger, tell: @Sendable (Result) -> Void) async throws -> Report {
        var phones: [APNSEnvironment: PushDevice.Device] = [:]
        defer { for phone in phones.values { phone.shutdown() } }
        for (environment, profile) in papers.profiles { phones[environment] = try phone(with: profile) }
        var results: [Result] = []
        for attempt in Attempt.all {
            let result = try await result(of: attempt, on: phones, logger: logger)
            tell(result)
            results.append(result)
        }
        let broken = Attempt(build: .development, certificate: .production, pushedTo: .development)
        var repaired = broken
        repaired.certificate = .development
        let repair = Repair(
            broken: broken,
            before: try findings(about: broken),
            after: try findings(about: repaired),
            result: try await result(of: repaired, on: phones, logger: logger)
        )
        return Report(results: results, repair: repair)
    }

    private func findings(about attempt: Attempt) throws -> [Finding] {
        var files = BuildFiles()
        files.profile = papers.profiles[attempt.build]
        files.certificate = try papers.certificates[attempt.certificate].map {
            .success(try CertificateReader.facts($0))
        }
        files.setting = BuildFiles.Setting(bundleID: Self.bundleID, environment: attempt.pushedTo)
        return files.findings(at: clock.date)
    }

    private func result(
        of attempt: Attempt,
        on phones: [APNSEnvironment: PushDevice.Device],
        logger: Logger
    ) async throws -> Result {
        guard let phone = phones[attempt.build], let certificate = papers.certificates[attempt.certificate] else {
            throw Failure(step: "a phone and a certificate for each environment")
        }
        let client = APNSClient(
            credential: .certificate(certificate),
            endpoint: gateway.route.endpoint(attempt.pushedTo),
            configuration: APNSClientConfiguration(deadline: .seconds(10)),
            clock: clock,
            logger: logger
        )
        let result = try await push(attempt, to: phone, by: client)
        await client.shutdown()
        return result
    }

    /// Returns a phone on which the app was installed with this profile.
    private func phone(with profile: ProvisioningProfile) throws -> PushDevice.Device {
        let device = PushDevice.Device(
            name: profile.name,
            clock: clock,
            dialer: WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton),
            journeys: JourneyRelay(),
            prompts: .allow
        )
        try device.install(InstalledApp(bundleID: Self.bundleID, name: "Shop"), profile: profile) { BuiltApp() }
        device.connect(courier: gateway.server.courierURL)
        device.open(Self.bundleID)
        return device
    }

    private func push(_ attempt: Attempt, to phone: PushDevice.Device, by client: APNSClient) async throws -> Result {
        let token = try await inTime("the app gets a token") {
            await phone.first { if case .tokenReceived = $0.kind { true } else { false } }
        }
        guard case .tokenReceived(let token, _) = token.kind else { throw Failure(step: "the app gets a token") }
        phone.background(Self.bundleID)
        await phone.settled()
        let words = "\(attempt.certificate.rawValue) certificate, pushed to \(attempt.pushedTo.rawValue)"
        let payload = APNSPayload(APS(alert: APSAlert(body: .literal(words))))
        let outcome = await client.send(try APNSPush(payload, to: token, app: Self.bundleID), within: .seconds(10))
        guard outcome == .accepted else { return Result(attempt: attempt, outcome: outcome, isShown: false) }
        _ = try await inTime("the phone shows what APNs has accepted") {
            await phone.first { if case .bannerShown(let shown) = $0.kind { shown.body == words } else { false } }
        }
        return Result(attempt: attempt, outcome: outcome, isShown: true)
    }

    /// The failure of one step.
    package struct Failure: Error, CustomStringConvertible {
        package var step: String
        package var description: String { "The demo failed at '\(step)': nothing happened within 20 seconds." }
    }

    private func inTime(
        _ step: String,
        _ body: @escaping @Sendable () async -> DeviceEvent?
    ) async throws -> DeviceEvent {
        guard let deviceEvent = try await withTimeout(.seconds(20), body) ?? nil else { throw Failure(step: step) }
        return deviceEvent
    }
}
