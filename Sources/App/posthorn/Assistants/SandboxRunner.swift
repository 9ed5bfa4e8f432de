import APNSGateway
import AppleDeveloper
import Foundation
import PosthornStack
import PushClock
import PushModel
import PushService
import Synchronization

/// Runs sandboxes for the tools of an assistant, at most one at a time.
final class SandboxRunner: Sendable {
    /// A sandbox from its start to its end.
    private struct Run: Sendable {
        var phones: Int
        var system: String
        let started = Announcement<Stack>()
        let stopped = Announcement<Void>()
        let ended = Announcement<Void>()
    }

    private let runs: AsyncStream<Run>
    private let incoming: AsyncStream<Run>.Continuation
    private let current = Mutex<(run: Run, stack: Stack)?>(nil)

    init() { (runs, incoming) = AsyncStream.makeStream() }

    /// The running sandbox.
    var stack: Stack? { current.withLock { $0?.stack } }

    /// Runs what ``start(phones:system:)`` asks for, until ``close()``.
    func run() async {
        for await run in runs {
            let folder = TemporaryFolder(named: nil)
            let settings = Stack.Settings(folder: folder.path) {
                $0.clock = TurnableClock()
                $0.phones = run.phones
                $0.system = run.system
                $0.turnsClocks = true
                $0.callsBackToMachine = true
            }
            do {
                try await Stack.run(settings, logger: LogOptions.quiet) { stack in
                    run.started.make(.success(stack))
                    try await run.stopped.value
                }
            } catch {
                run.started.make(.failure(error))
            }
            folder.remove()
            run.ended.make(.success(()))
        }
    }

    /// Starts a sandbox, and waits until its phones are registered.
    func start(phones: Int, system: String) async throws -> Stack {
        guard stack == nil else { throw ToolProblem("A sandbox runs already; stop_sandbox ends it.") }
        let run = Run(phones: phones, system: system)
        incoming.yield(run)
        let stack = try await run.started.value
        current.withLock { $0 = (run, stack) }
        return stack
    }

    /// Stops the sandbox and removes its folder. Returns false if none runs.
    func stop() async throws -> Bool {
        let running = current.withLock { current in
            defer { current = nil }
            return current
        }
        running?.run.stopped.make(.success(()))
        try await running?.run.ended.value
        return running != nil
    }

    /// Ends ``run()`` once the last sandbox has stopped.
    func close() async throws {
        _ = try await stop()
        incoming.finish()
    }
}

extension Stack {
    /// Describes the sandbox without its secrets, which are written to a file that only the user can read.
    func descriptionForAssistants() async throws -> JSONValue {
        let whole = try await description(tokens: sampleTokens())
        let file = settings.folder + "/sandbox.json"
        try PrivateFile.write(Data(whole.text.utf8), to: file)
        var facts = whole.object ?? [:]
        facts["api"] = ["url": .string(api.url), "appKey": .string(api.appKey)]
        facts["portal"] = nil
        if var apns = facts["apns"]?.object {
            apns["p12"] = nil
            facts["apns"] = .object(apns)
        }
        facts["file"] = .string(file)
        return .object(facts)
    }

    /// The secrets that no answer may contain.
    var secrets: [String] { [api.masterSecret, developer.secret, group.masterSecret] }

    /// A client of the gateway's control endpoint.
    var control: APIClient {
        get async throws {
            guard let url = try await gateway.controlURL else {
                throw ToolProblem("The gateway has no control endpoint.")
            }
            return APIClient(url: url, appKey: "posthorn", masterSecret: "")
        }
    }
}
