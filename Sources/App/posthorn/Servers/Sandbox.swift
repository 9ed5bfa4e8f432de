import APNSGateway
import ArgumentParser
import Foundation
import Logging
import PosthornPortal
import PosthornStack
import PushClock
import PushDevice
import PushModel
import UnixSignals

struct Sandbox: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Runs service, gateway and emulated iPhones on free ports, for your own test suite.",
        discussion: """
            Runs until SIGINT or SIGTERM. With --json, the first line on standard output is one object with all addresses, \
            keys, files and device tokens. It is printed once everything is ready.
            """
    )

    @Flag(help: "Print addresses, keys, files and device tokens as one line of JSON.") var json = false
    @Option(help: "Number of emulated iPhones with the sample app.") var devices = 1

    @Option(help: "Path of the folder for databases, keys and certificates; a temporary one if not given.")
    var data: String?

    @Option(help: "The app's build on the devices: development or production.")
    var environment = APNSEnvironment.production

    @Flag(
        help: """
            Let the sample app fetch URLs in pushes from this machine and its links too: 127.0.0.0/8, 169.254.0.0/16, ::1 and \
            fe80::/10.
            """
    )
    var fetchFromMachine = false

    @Flag(help: "Open the gateway's port for managing broadcast channels, for 'posthorn channel'.") var channels = false

    @Flag(help: "Let the callbacks of pushes go to this machine too: 127.0.0.0/8 and ::1.")
    var callbacksToMachine = false

    @Option(
        help: "An OpenTelemetry collector for the spans of pushes and their journeys, such as http://127.0.0.1:4318."
    )
    var tracing: TraceCollector?

    @Flag(help: "Stop when standard input ends, too, so that the sandbox does not outlive its test suite.")
    var untilEOF = false

    @OptionGroup var log: LogOptions

    static var _commandName: String { "sandbox" }

    func validate() throws { try check("--devices", devices, in: 0...1000) }

    func run() async throws {
        let folder = TemporaryFolder(named: data)
        defer { folder.remove() }
        let logger = log.logger("posthorn", default: .warning)
        let portal = ServedPortal(phones: PhoneShelf(), logger: logger)
        let console = try Console(reloading: ServedPortal.folder)
        let exporter = tracing?.record(100, clock: SystemClock(), logger: logger)
        let settings = Stack.Settings(folder: folder.path) {
            $0.clock = TurnableClock()
            $0.exporter = exporter
            $0.phones = devices
            $0.environment = environment
            $0.network = PhoneNetwork(reachesMachine: fetchFromMachine)
            $0.turnsClocks = true
            $0.pages = portal.make
            $0.console = console
            $0.managesChannels = channels
            $0.callsBackToMachine = callbacksToMachine
        }
        do {
            try await Stack.run(settings, signals: [.sigint, .sigterm], logger: logger) { stack in
                Output.endsGracefully()
                portal.showPhones(of: stack)
                try await announce(stack, portal.value.createAdministrator(Self.user))
                try await untilCancelled(orEndOfInput: untilEOF)
            }
        } catch is CancellationError {
            // A signal ended the run.
        }
    }

    /// The name of the portal's user.
    private static let user = "admin"

    private func announce(_ stack: Stack, _ password: String) async throws {
        let login = PortalLogin(url: stack.api.url + "/portal", user: Self.user, password: password)
        let description = try await stack.description(tokens: stack.sampleTokens(), portal: login)
        guard !json else { return printJSON(description) }
        let port = stack.gateway.server.port(for: environment) ?? 0
        printLine(
            """
            Portal         \(login.url)   user \(login.user)   password \(login.password)
            Push service   \(stack.api.url)   key \(stack.api.appKey)   secret \(stack.api.masterSecret)
            APNs gateway   \(stack.gateway.host):\(port) (\(environment))   authority \(stack.gateway.caPath)
            """
        )
        printLine(
            "APNs key       \(stack.gateway.keyPath)   id \(stack.gateway.key.id)   team \(stack.gateway.key.teamID)"
        )
        if let port = stack.gateway.server.managementPort(for: environment) {
            printLine("Channels       \(stack.gateway.host):\(port) (\(environment))")
        }
        if let control = try await stack.gateway.controlURL { printLine("Control        \(control)") }
        if let console = try await stack.gateway.consoleURL { printLine("Console        \(console)") }
        for phone in stack.phones {
            printLine("\(phone.device.name)   registration id \(try await stack.registrationID(of: phone))")
        }
        printLine("Ctrl-C stops it. --json prints all of this and more for programs.")
    }
}
