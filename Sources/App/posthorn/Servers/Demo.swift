import APNSGateway
import ArgumentParser
import Foundation
import Logging
import PosthornPortal
import PosthornStack
import PushModel
import PushService
import UnixSignals

struct Demo: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs service, gateway and an emulated iPhone on this machine, and narrates four pushes.",
        discussion: """
            Starts the push service, an APNs-compatible gateway and one emulated iPhone with the sample app, sends four pushes \
            and prints what happens to them. Then it keeps running, so that you can send your own.
            """,
        subcommands: [DemoCertificates.self, DemoLive.self]
    )

    @Flag(help: "Exit after the story: with 0 on success, with 1 and the failed step otherwise.") var exit = false
    @Flag(help: "Print the journeys as JSON instead of the story.") var json = false

    @Flag(help: "Let the callbacks of your pushes go to this machine too: 127.0.0.0/8 and ::1.")
    var callbacksToMachine = false

    @OptionGroup var language: LanguageOptions
    @OptionGroup var log: LogOptions

    func run() async throws { try await run(system: "17.0") { try await $0.run() } }

    /// Starts everything and tells a story.
    ///
    /// - Parameters:
    ///   - system: the phone's version of iOS.
    ///   - story: tells it, and returns the journeys of its pushes.
    /// - Throws: an `ExitCode` if a step fails, which is printed; another error if a server does not start.
    func run(system: String, _ story: @escaping @Sendable (DemoNarrator) async throws -> [Journey]) async throws {
        let folder = TemporaryFolder(named: nil)
        defer { folder.remove() }
        let logger = log.logger("posthorn", default: .error)
        let portal = ServedPortal(phones: PhoneShelf(), logger: logger)
        let settings = Stack.Settings(folder: folder.path) {
            $0.system = system
            $0.environment = .development
            $0.preparesPhones = false
            $0.turnsClocks = true
            $0.pages = portal.make
            $0.callsBackToMachine = callbacksToMachine
        }
        do {
            try await Stack.run(settings, signals: [.sigint, .sigterm], logger: logger) { stack in
                Output.endsGracefully()
                if !json, !exit { try await show(stack, portal) }
                try await tell(story, on: stack)
                if !exit { try await untilCancelled() }
            }
        } catch is CancellationError {
            // The user pressed Ctrl-C.
        } catch let failure as DemoNarrator.Failure {
            printNote("\(failure)")
            throw ExitCode.failure
        }
    }

    /// Prints where the phone can be seen.
    private func show(_ stack: Stack, _ portal: ServedPortal) async throws {
        portal.showPhones(of: stack)
        let password = try await portal.value.createAdministrator("admin")
        printLine("See the phone  \(stack.api.url)/portal/phones   user admin   password \(password)")
    }

    private func tell(_ story: @Sendable (DemoNarrator) async throws -> [Journey], on stack: Stack) async throws {
        let narrates = !json
        if narrates { introduce(stack) }
        let journeys = try await story(
            DemoNarrator(stack, texts: language.texts) { line in if narrates { printLine(line.formatted) } }
        )
        if json {
            printLine(JSONCoding.json(of: journeys).text)
        } else if !exit {
            conclude(stack)
        }
    }

    private func introduce(_ stack: Stack) {
        let environment = stack.settings.environment
        printLine("Push service   \(stack.api.url)")
        printLine(
            "APNs gateway   \(stack.gateway.host):\(stack.gateway.server.port(for: environment) ?? 0) (\(environment))"
        )
        printLine("")
    }

    private func conclude(_ stack: Stack) {
        printLine(
            """

            Everything keeps running; Ctrl-C stops it. The app's key and secret:

                \(stack.api.appKey)  \(stack.api.masterSecret)

            Send a push of your own (the phone is a development build):

                curl -u \(stack.api.appKey):\(stack.api.masterSecret) \(stack.api.url)/v3/push -d '{"platform": "all", \
            "audience": "all", "notification": {"alert": "Hello"}, "options": {"apns_production": false}}'
            """
        )
    }
}

extension DemoNarrator.Line {
    /// The line in columns: time, speaker and text.
    fileprivate var formatted: String {
        guard !who.isEmpty else { return text }
        let time = elapsed.milliseconds
        let padding = String(repeating: " ", count: max(0, 11 - time.count))
        return "\(padding)\(time)  \(who.padding(toLength: 9, withPad: " ", startingAt: 0))\(text)"
    }
}

struct DemoLive: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Narrates a Live Activity: a push starts it, others change it, it goes stale, and ends.",
        discussion: """
            Starts the push service, an APNs-compatible gateway and one emulated iPhone with iOS 18 and the sample app. A push \
            starts the Live Activity of a delivery in the app, which does not run. Other pushes change it; the phone's clock is \
            turned past its stale date; a push whose content does not fit is explained; the last one ends it. Then everything \
            keeps running, with the activity on the phone's lock screen; with --exit the demo ends. With --json it prints the \
            journeys instead of the story.
            """
    )

    /// The parent command, whose --exit, --json and --log-level apply here too.
    @ParentCommand var demo: Demo

    func run() async throws { try await demo.run(system: "18.0") { try await $0.runDelivery() } }
}
