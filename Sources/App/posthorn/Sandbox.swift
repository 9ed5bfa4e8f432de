import APNSGateway
import ArgumentParser
import Foundation
import Logging
import PosthornStack
import PushDevice
import PushModel
import UnixSignals

struct Sandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Service, gateway and devices on free ports, for other people's test suites.",
        discussion: """
            Runs until SIGINT or SIGTERM. With --json the first line on standard output, once everything answers, is one \
            object with all addresses, keys, files and device tokens.
            """
    )

    @Flag(help: "Print what a test suite needs as one line of JSON.")
    var json = false

    @Option(help: "How many emulated iPhones run the sample app.")
    var devices = 1

    @Option(help: "Where to keep databases, keys and certificates; a folder that is removed at the end if not given.")
    var data: String?

    @Option(help: "How the devices' app was built: development or production.")
    var environment = APNSEnvironment.production

    @Flag(
        help: """
            Let the sample app fetch what pushes name from this machine too, and from its links: 127.0.0.0/8, 169.254.0.0/16, \
            ::1 and fe80::/10.
            """
    )
    var fetchFromMachine = false

    @Flag(help: "Stop also when standard input ends, so that no sandbox outlives its test suite.")
    var untilEOF = false

    @OptionGroup var log: LogOptions

    static var _commandName: String { "sandbox" }

    func validate() throws {
        guard (0...1000).contains(devices) else {
            throw ValidationError("--devices is \(devices); expected 0 to 1000.")
        }
    }

    func run() async throws {
        let folder = TemporaryFolder(named: data)
        defer { folder.remove() }
        let settings = Stack.Settings(
            folder: folder.path,
            phones: devices,
            environment: environment,
            network: PhoneNetwork(reachesMachine: fetchFromMachine)
        )
        let logger = log.logger("posthorn", default: .warning)
        do {
            try await Stack.run(settings, signals: [.sigint, .sigterm], logger: logger) { stack in
                Output.endsGracefully()
                try await announce(stack)
                if untilEOF { await endOfStandardInput() } else { try await untilCancelled() }
            }
        } catch is CancellationError {
            // A signal asked for the end.
        }
    }

    private func announce(_ stack: Stack) async throws {
        let description = try await stack.description(tokens: stack.sampleTokens())
        guard !json else { return printLine(description.text) }
        let port = stack.gateway.server.port(for: environment) ?? 0
        printLine("Push service   \(stack.api.url)   key \(stack.api.appKey)   secret \(stack.api.masterSecret)")
        printLine("APNs gateway   \(stack.gateway.host):\(port) (\(environment))   authority \(stack.gateway.caPath)")
        printLine(
            "APNs key       \(stack.gateway.keyPath)   id \(stack.gateway.key.id)   team \(stack.gateway.key.teamID)"
        )
        if let control = try await stack.gateway.controlURL { printLine("Control        \(control)") }
        for phone in stack.phones {
            printLine("\(phone.device.name)   registration id \(try await stack.registrationID(of: phone))")
        }
        printLine("Ctrl-C stops it. --json prints all of this and more for programs.")
    }
}

/// Returns when standard input has ended, or the task is cancelled.
private func endOfStandardInput() async {
    let ended = AsyncStream<Void> { continuation in
        // Reading blocks, so it has a thread of its own; the process ends without waiting for it.
        let thread = Thread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            continuation.finish()
        }
        thread.start()
    }
    for await _ in ended {}
}
