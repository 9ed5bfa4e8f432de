import APNSGateway
package import APNSProvider
import DeviceLinkNIO
import Foundation
package import Logging
import NIOPosix
import PosthornTesting
import PushClock
import PushDevice
package import PushModel
package import UnixSignals

/// The three that must agree: a push for each way in which the app's build, the certificate and the environment that is
/// pushed to may and may not, at a real gateway with a phone for each build.
package struct CertificateDemo: Sendable {
    package static let bundleID = "com.example.shop"

    /// One push.
    package struct Attempt: Hashable, Sendable {
        /// What the profile of the phone's app says.
        package var build: APNSEnvironment
        package var certificate: APNSEnvironment
        package var pushedTo: APNSEnvironment

        package var agrees: Bool { build == pushedTo && certificate == pushedTo }

        /// All eight.
        package static let all = APNSEnvironment.allCases.flatMap { build in
            APNSEnvironment.allCases.flatMap { certificate in
                APNSEnvironment.allCases.map { Attempt(build: build, certificate: certificate, pushedTo: $0) }
            }
        }
    }

    /// What became of it.
    package struct Result: Sendable {
        package var attempt: Attempt
        package var outcome: APNSOutcome
        /// Whether the phone showed a banner.
        package var isShown: Bool
    }

    private let gateway: GatewayNode
    private let papers: DeveloperFiles
    private let clock = SystemClock()

    /// Makes the papers, switches the phones on, and pushes.
    ///
    /// - Parameters:
    ///   - folder: where the gateway keeps its authority.
    ///   - signals: end it.
    ///   - logger: of gateway and clients.
    ///   - tell: is given each result as it comes.
    /// - Returns: the results, in the order of ``Attempt/all``.
    /// - Throws: also when a phone gets no token, or does not show what was accepted, within 20 seconds.
    package static func run(
        folder: String,
        signals: [UnixSignal] = [],
        logger: Logger,
        tell: @escaping @Sendable (Result) -> Void
    ) async throws -> [Result] {
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

    private func run(logger: Logger, tell: @Sendable (Result) -> Void) async throws -> [Result] {
        var phones: [APNSEnvironment: PushDevice.Device] = [:]
        defer { for phone in phones.values { phone.shutdown() } }
        for (environment, profile) in papers.profiles { phones[environment] = try phone(with: profile) }
        var results: [Result] = []
        for attempt in Attempt.all {
            guard let phone = phones[attempt.build], let certificate = papers.certificates[attempt.certificate] else {
                continue
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
            tell(result)
            results.append(result)
        }
        return results
    }

    /// A phone on which the app was installed by this profile.
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

    private func push(
        _ attempt: Attempt,
        to phone: PushDevice.Device,
        by client: APNSClient
    ) async throws -> Result {
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

    /// The step that did not come about.
    package struct Failure: Error, CustomStringConvertible {
        package var step: String
        package var description: String { "The demo failed at '\(step)': nothing happened within 20 seconds." }
    }

    private func inTime(
        _ step: String,
        _ body: @escaping @Sendable () async -> DeviceEvent?
    ) async throws -> DeviceEvent {
        try await withThrowingTaskGroup(of: DeviceEvent?.self) { group in
            group.addTask { await body() }
            group.addTask {
                try await ContinuousClock().sleep(for: .seconds(20))
                return nil
            }
            defer { group.cancelAll() }
            guard let deviceEvent = try await group.next() ?? nil else { throw Failure(step: step) }
            return deviceEvent
        }
    }
}
