import ArgumentParser
import Foundation
import PosthornStack
import PushClock
import PushDevice
import PushExplanation
import PushModel
import PushService

/// The tools of `Sources/App/CTools/tools.json`.
extension AssistantSession {
    /// Calls a tool, and returns its answer as text.
    func call(_ tool: String, _ arguments: ToolArguments) async throws -> String {
        switch tool {
        case "start_sandbox": try await startSandbox(arguments)
        case "stop_sandbox": await sandbox.stop() ? "stopped" : "No sandbox was running."
        case "send_push": try await sendPush(arguments)
        case "pushes": try await pushes(arguments)
        case "wait_for": try await waitFor(arguments)
        case "why":
            try await command(
                ["why", "--json"] + arguments.options(except: "msg_id", "registration_id") + target(arguments).options,
                ["msg_id", "registration_id"].compactMap(arguments.text)
            )
        case "device": try await device(arguments)
        case "set_fault": try await control("POST", "/faults", arguments.object("fault"))
        case "end_faults": try await control("DELETE", "/faults")
        case "turn_clock": try await control("POST", "/clock", ["turn": .number(arguments.number("seconds") ?? 0)])
        case "doctor":
            try await command(["doctor", "--json"] + arguments.options() + target(arguments).operatorOptions)
        case "matrix": try await command(["matrix", "--json"] + arguments.options())
        case "explain":
            try await Explain.explanation(
                of: arguments.object("push").bytes,
                named: "push",
                Explain.parse(arguments.options(except: "push") + ["push"]).options()
            ).json.json.text
        case "when":
            try await command(
                ["when", "--json"] + arguments.options(except: "trigger"),
                [arguments.text("trigger") ?? ""]
            )
        default: throw ToolProblem("'\(tool)' does nothing yet.")
        }
    }

    private func command(_ words: [String], _ values: [String] = []) async throws -> String {
        try await PrintedLines.ofCommand(words + (values.isEmpty ? [] : ["--"] + values))
    }

    private func startSandbox(_ arguments: ToolArguments) async throws -> String {
        let system = arguments.text("ios") ?? "17.0"
        guard SystemProfile.exists(system) else {
            throw ToolProblem("'ios' is \"\(system)\"; expected \(SystemProfile.versions).")
        }
        let stack = try await sandbox.start(phones: arguments.number("devices") ?? 1, system: system)
        return try await stack.descriptionForAssistants().text
    }

    private func sendPush(_ arguments: ToolArguments) async throws -> String {
        let target = try target(arguments)
        guard target.stack != nil || allowsChanges else {
            throw ToolProblem("Pushes to a real service are off; 'posthorn mcp --allow-changes' permits them.")
        }
        let push = arguments.object("push").bytes
        let answer = try await target.client.post("/v3/push", push)
        guard answer.status == 200 else { throw ToolProblem(ServerRefusal(answer).description) }
        return answer.json.text
    }

    private func pushes(_ arguments: ToolArguments) async throws -> String {
        let names = ["token", "topic", "text", "reason", "status", "after", "count"]
        let query = names.compactMap { name in
            (arguments.text(name) ?? arguments.number(name).map(String.init)).map { "\(name)=\(APIClient.encoded($0))" }
        }
        let deadline = ContinuousClock.now + .seconds(arguments.number("wait") ?? 0)
        while true {
            // A second at a time: a client of the endpoint does not wait for as long as an assistant may.
            let start = ContinuousClock.now
            let wait = inputEnd.isMade ? .zero : min(max(deadline - start, .zero), .seconds(1))
            let path = "/pushes?" + (query + ["wait=\(wait / .seconds(1))"]).joined(separator: "&")
            let answer = try await control("GET", path)
            if wait == .zero || ContinuousClock.now - start < wait { return answer }
        }
    }

    private func waitFor(_ arguments: ToolArguments) async throws -> String {
        let client = try target(arguments).client
        let ids = ["msg_id", "registration_id"].map { APIClient.encoded(arguments.text($0) ?? "") }
        let deadline = ContinuousClock.now + .seconds(arguments.number("within") ?? 5)
        while true {
            let answer = try await client.get("/posthorn/v1/journeys/\(ids[0])/\(ids[1])")
            let journey: Journey = try answer.read()
            let isThere = journey.verdict.state.rawValue == arguments.text("state") ?? "shown"
            if isThere || inputEnd.isMade || ContinuousClock.now >= deadline { return answer.json.text }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func device(_ arguments: ToolArguments) async throws -> String {
        let stack = try runningSandbox()
        let name = arguments.text("name") ?? stack.phones.first?.device.name ?? ""
        let order = arguments.text("order") ?? ""
        let rest = arguments.texts("arguments")
        // The first argument of `call` is what to do with the call.
        let subcommands = order == "call" ? 1 : 0
        let words =
            ["device", order] + rest.prefix(subcommands) + ["--name=\(name)", "--"] + rest.dropFirst(subcommands)
        let performer = DeviceName.Performer(perform: stack.perform)
        return try await DeviceName.$performer.withValue(performer) { try await PrintedLines.ofCommand(words) }
    }
}

extension PrintedLines {
    /// Runs a command in this process.
    ///
    /// - Parameter words: the words after `posthorn`.
    /// - Returns: what it has printed; also if it ended with a status that says more than success, such as that of findings.
    /// - Throws: ``ToolProblem`` with the command's message.
    static func ofCommand(_ words: [String]) async throws(ToolProblem) -> String {
        let printed = PrintedLines()
        do {
            try await $current.withValue(printed) { try await Posthorn.run(Posthorn.parseAsRoot(words)) }
        } catch {
            guard error is ExitCode, !printed.text.isEmpty else { throw ToolProblem(Posthorn.sentence(for: error)) }
        }
        return printed.text
    }
}

/// The reason why a tool did not do what it was asked for.
struct ToolProblem: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
