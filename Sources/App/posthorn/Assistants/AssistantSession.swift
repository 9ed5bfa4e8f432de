import APNSGateway
import ArgumentParser
import Foundation
import PosthornStack
import PushClock
import PushDevice
import PushModel

/// The state behind the tools of an assistant: its sandbox, and the service that the environment names.
struct AssistantSession: Sendable {
    let sandbox = SandboxRunner()
    /// Whether tools may change a real service.
    let allowsChanges: Bool
    /// Made when the assistant has closed the connection: no tool waits any longer.
    let inputEnd = Announcement<Void>()

    /// Calls a tool. One that fails answers with `isError`, so that the assistant reads the reason.
    ///
    /// - Parameters:
    ///   - tool: its description in the list of tools.
    ///   - values: the arguments as they came.
    /// - Returns: the result, as the protocol has it.
    func answer(of tool: JSONObject, _ values: JSONObject) async -> JSONMembers {
        do {
            let arguments = try ToolArguments(values, schema: tool["inputSchema"]?.object ?? [:])
            let text = withoutSecrets(try await answer(of: tool["name"]?.string ?? "", arguments))
            var result: JSONMembers = ["content": Self.content(text)]
            if let json = try? JSONValue(parsing: text), json.object != nil { result["structuredContent"] = json }
            return result
        } catch {
            let reason = withoutSecrets(error.description)
            return ["content": Self.content(reason), "isError": true]
        }
    }

    private static func content(_ text: String) -> [JSONMembers] { [["type": "text", "text": text]] }

    private func answer(of tool: String, _ arguments: ToolArguments) async throws(ToolProblem) -> String {
        do { return try await call(tool, arguments) } catch {
            throw ToolProblem(arguments.naming(Posthorn.sentence(for: error)))
        }
    }

    private func withoutSecrets(_ text: String) -> String {
        let given = ["POSTHORN_MASTER_SECRET", "POSTHORN_OPERATOR_TOKEN", "PGPASSWORD"]
            .compactMap { EnvironmentSettings[$0] }
        return (given + (sandbox.stack?.secrets ?? [])).filter { !$0.isEmpty }
            .reduce(text) { $0.replacing($1, with: "(secret)") }
    }
}

// MARK: For tools

extension AssistantSession {
    /// The service that a tool asks.
    struct Target {
        /// Nil for the service that the environment names.
        var stack: Stack?

        /// The options by which a command finds it as an app.
        var options: [String] {
            guard let api = stack?.api else { return [] }
            return ["--url=\(api.url)", "--app-key=\(api.appKey)", "--master-secret=\(api.masterSecret)"]
        }

        /// The options by which a command finds it as an operator.
        var operatorOptions: [String] {
            if let stack { return ["--data=\(stack.settings.folder)"] }
            return EnvironmentSettings["POSTHORN_URL"].map { ["--url=\($0.withoutURLUser)"] } ?? []
        }

        var client: APIClient { get throws { try stack?.api ?? ServerOptions.parse([]).client } }
    }

    func target(_ arguments: ToolArguments) throws(ToolProblem) -> Target {
        switch arguments.text("target") {
        case "sandbox": Target(stack: try runningSandbox())
        case "service": Target(stack: nil)
        default: Target(stack: sandbox.stack)
        }
    }

    func runningSandbox() throws(ToolProblem) -> Stack {
        guard let stack = sandbox.stack else { throw ToolProblem("No sandbox runs; start_sandbox starts one.") }
        return stack
    }

    /// Asks the control endpoint of the sandbox's gateway.
    func control(_ method: String, _ path: String, _ body: JSONObject? = nil) async throws -> String {
        let client = try await runningSandbox().control
        let answer = try await client.call(method, path, body: body?.bytes)
        guard (200..<300).contains(answer.status) else { throw ToolProblem(GatewayRefusal(answer).description) }
        return answer.json == .null ? "done" : answer.json.text
    }
}

extension Stack {
    /// Carries out an order of a `posthorn device` command on one of the phones.
    func perform(_ order: DeviceOrder, app: String?, device name: String) async throws -> DeviceOrderReply {
        guard let phone = phones.first(where: { $0.device.name == name }), let clock = phone.clock as? TurnableClock
        else {
            let names = phones.map(\.device.name).joined(separator: ", ")
            throw ToolProblem("There is no iPhone '\(name)'; expected one of \(names).")
        }
        return try await order.perform(
            on: phone.device,
            app: app ?? phone.bundleID,
            courier: gateway.server.courierURL,
            clock: clock
        )
    }
}
