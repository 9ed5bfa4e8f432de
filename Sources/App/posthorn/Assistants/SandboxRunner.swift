import APNSGateway
import AppleDeveloper
import Foundation
import PosthornStack
import PushClock
import PushModel
import PushService
import Synchronization

/// The sandbox of an assistant's tools; at most one runs at a time.
final class SandboxRunner: Sendable {
    private struct Run: Sendable {
        var stack: Stack
        var stopped: Announcement<Void>
        var task: Task<Void, Never>
    }

    private let current = Mutex<Run?>(nil)

    /// The running sandbox.
    var stack: Stack? { current.withLock { $0?.stack } }

    /// Starts a sandbox, and waits until its phones are registered.
    func start(phones: Int, system: String) async throws -> Stack {
        guard stack == nil else { throw ToolProblem("A sandbox runs already; stop_sandbox ends it.") }
        let started = Announcement<Stack>()
        let stopped = Announcement<Void>()
        // The sandbox outlives the call that starts it; `stop` awaits its end.
        let task = Task {
            let folder = TemporaryFolder(named: nil)
            defer { folder.remove() }
            let settings = Stack.Settings(folder: folder.path) {
                $0.clock = TurnableClock()
                $0.phones = phones
                $0.system = system
                $0.turnsClocks = true
                $0.callsBackToMachine = true
            }
            do {
                try await Stack.run(settings, logger: LogOptions.quiet) { stack in
                    started.make(.success(stack))
                    try await stopped.value
                }
            } catch {
                started.make(.failure(error))
            }
        }
        do {
            let stack = try await started.value
            current.withLock { $0 = Run(stack: stack, stopped: stopped, task: task) }
            return stack
        } catch {
            // A call that is cancelled leaves nothing behind.
            stopped.make(.success(()))
            await task.value
            throw error
        }
    }

    /// Stops the sandbox and removes its folder. Returns false if none runs.
    @discardableResult
    func stop() async -> Bool {
        let run = current.withLock { current in
            defer { current = nil }
            return current
        }
        run?.stopped.make(.success(()))
        await run?.task.value
        return run != nil
    }
}

extension Stack {
    /// Describes the sandbox without its secrets, which are written to a file that only the user can read.
    func descriptionForAssistants() async throws -> JSONObject {
        var facts = try await description(tokens: sampleTokens()).json
        let file = settings.folder + "/sandbox.json"
        try PrivateFile.write(Data(facts.bytes), to: file)
        facts["api"] = ["url": .string(api.url), "appKey": .string(api.appKey)]
        facts["portal"] = nil
        if var apns = facts["apns"]?.object {
            apns["p12"] = nil
            facts["apns"] = .object(apns)
        }
        facts["file"] = .string(file)
        return facts
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
