public import ArgumentParser
import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOPosix
import PushClock
public import PushModel

/// `posthorn simulator`, the same on a Mac and on Linux.
package struct SimulatorCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "simulator",
        abstract: "Hands the pushes of a gateway to an app in Xcode's Simulator.",
        discussion: """
            Connects to a gateway's courier port as a device with these apps, and calls 'xcrun simctl push' for each push. Prints a \
            line of JSON for each event, the first with the device's id and key. Runs until SIGINT or SIGTERM.

            A token that the app in the Simulator has from Apple becomes one of this device by PUT /tokens/TOKEN at the gateway's \
            control endpoint.
            """
    )

    @Option(help: "URL of the gateway's courier link, such as ws://127.0.0.1:5223/courier.") var courier: String

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The bundle id of an app; may be repeated.", valueName: "bundle-id")
    )
    var apps: [String]

    @Option(help: "The UDID of the Simulator, or 'booted'.") var simulator = "booted"

    @Option(help: "How the apps were built: development or production.")
    var environment: APNSEnvironment = .development

    @Option(name: .customLong("id"), help: "The device's id on the courier link; random if not given.")
    var deviceID: String?

    @Option(
        help: ArgumentHelp(
            "The key of --id (or POSTHORN_DEVICE_KEY, which the process list does not show): 64 hexadecimal digits in lower case. A "
                + "gateway accepts an id only with the key it was first used with.",
            valueName: "key"
        )
    )
    var deviceKey: String?

    @Option(
        help: ArgumentHelp(
            "The token to send to --courier as 'Authorization: Bearer' (or POSTHORN_COURIER_TOKEN).",
            valueName: "token"
        )
    )
    var courierToken: String?

    @Option(help: "Path of a PEM file with the authorities to trust for wss:// links, instead of the system's.")
    var ca: String?

    package init() {}

    package func validate() throws {
        guard courier.hasPrefix("ws://") || courier.hasPrefix("wss://") else {
            throw ValidationError("--courier is '\(courier)'; expected a URL that begins with ws:// or wss://.")
        }
        for app in apps where app.isEmpty || !app.isWrittenLikeTopic {
            throw ValidationError("--app is '\(app)'; expected a bundle id.")
        }
        if simulator.isEmpty { throw ValidationError("--simulator is empty; expected a UDID or 'booted'.") }
        if let key, key.wholeMatch(of: /[0-9a-f]{64}/) == nil {
            throw ValidationError(
                "The device key has \(key.count) characters; expected 64 hexadecimal digits in lower case."
            )
        }
    }

    package func run() async throws {
        // A call of simctl that ends early must not end this process.
        signal(SIGPIPE, SIG_IGN)
        let clock = SystemClock()
        var random = SystemRandomNumberGenerator()
        let id = deviceID ?? random.uuid()
        let key = key ?? CourierClient.makeKey(using: &random)
        let token = courierToken ?? Self.environment("POSTHORN_COURIER_TOKEN")
        let dialer = try WebSocketDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            authorities: ca,
            key: token.map { WebSocketDialer.Key(url: courier, token: $0) }
        )
        let simctl = Simctl(simulator: simulator)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Never.self)
        let device = SimulatorDevice(
            // The gateway ignores numbers of events that the device has used before.
            CourierClient(device: id, key: key, firstNumber: Int64(clock.date.timeIntervalSince1970 * 1000)),
            apps: apps,
            environment: environment,
            url: courier,
            dialer: dialer,
            clock: clock,
            push: { simctl.push($0, to: $1) },
            tell: Self.tell,
            refused: { continuation.finish(throwing: LinkRefusal($0)) }
        )
        Self.tell(["event": "ready", "id": id, "key": key])
        device.connect()
        // Until a signal ends the process: whatever is not acknowledged by then, the gateway still has.
        defer { withExtendedLifetime(device) {} }
        for try await _ in stream {}
    }

    private var key: String? { deviceKey ?? Self.environment("POSTHORN_DEVICE_KEY") }

    private static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func tell(_ event: JSONMembers) {
        try? FileHandle.standardOutput.write(contentsOf: Data((event.json.text + "\n").utf8))
    }
}

extension APNSEnvironment: ExpressibleByArgument {}
