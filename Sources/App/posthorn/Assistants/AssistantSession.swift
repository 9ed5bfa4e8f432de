import APNSGateway
import ArgumentParser
import Foundation
import PosthornStack
import PushClock
import PushDevice
import PushModel

/// A connection to an assistant, by the Model Context Protocol: a request goes in, the response comes out.
///
/// It speaks revision [2026-07-28](https://modelcontextprotocol.io/specification/2026-07-28), in which each request stands alone, and
/// answers the handshake of earlier ones. A tool that fails answers with `isError`, so that the assistant reads the reason.
struct AssistantSession: Sendable {
    let sandbox = SandboxRunner()
    /// Whether tools may change a real service.
    let allowsChanges: Bool

    private static let revision = "2026-07-28"
    private static let earlierRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    private static let instructions = """
        Verifies code that sends or receives push notifications for iOS. Start a sandbox, let the code under test send to it, and ask \
        what became of each push. Read 'why' before you guess.
        """
    private static let server: JSONValue = ["name": "posthorn", "version": .string(Posthorn.version)]
    private static let capabilities: JSONValue = ["tools": [:]]

    /// An error of the protocol, by its code in JSON-RPC.
    private struct ProtocolError: Error {
        var code: Int64
        var message: String
        var data: JSONValue?
    }

    /// Returns the response to a message; nil for a notification.
    func response(to line: String) async -> JSONValue? {
        guard let message = try? JSONValue(parsing: line) else {
            return Self.response(nil, .failure(ProtocolError(code: -32700, message: "The line is not JSON.")))
        }
        guard let request = message.object, let method = request["method"]?.string else {
            return Self.response(nil, .failure(ProtocolError(code: -32600, message: "The message has no method.")))
        }
        guard let id = request["id"] else { return nil }
        do throws(ProtocolError) {
            return Self.response(id, .success(try await result(of: method, request["params"]?.object ?? [:])))
        } catch {
            return Self.response(id, .failure(error))
        }
    }

    private static func response(_ id: JSONValue?, _ result: Result<JSONObject, ProtocolError>) -> JSONValue {
        switch result {
        case .success(var members):
            members["resultType"] = "complete"
            members["_meta"] = ["io.modelcontextprotocol/serverInfo": server]
            return ["jsonrpc": "2.0", "id": id ?? .null, "result": .object(members)]
        case .failure(let problem):
            var error: JSONObject = ["code": .integer(problem.code), "message": .string(problem.message)]
            error["data"] = problem.data
            return ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)]
        }
    }

    private func result(of method: String, _ parameters: JSONObject) async throws(ProtocolError) -> JSONObject {
        let revision = parameters["_meta"]?.object?["io.modelcontextprotocol/protocolVersion"]?.string
        if let revision, revision != Self.revision {
            throw ProtocolError(
                code: -32022,
                message: "Unsupported protocol version",
                data: ["supported": [.string(Self.revision)], "requested": .string(revision)]
            )
        }
        switch method {
        case "server/discover":
            return Self.cached([
                "supportedVersions": [.string(Self.revision)], "capabilities": Self.capabilities,
                "instructions": .string(Self.instructions),
            ])
        case "initialize":
            let asked = parameters["protocolVersion"]?.string ?? ""
            let version = Self.earlierRevisions.contains(asked) ? asked : Self.earlierRevisions[0]
            return [
                "protocolVersion": .string(version), "capabilities": Self.capabilities, "serverInfo": Self.server,
                "instructions": .string(Self.instructions),
            ]
        case "ping": return [:]
        case "tools/list": return Self.cached(["tools": .array(ToolArguments.tools)])
        case "tools/call":
            let name = parameters["name"]?.string ?? ""
            let tool = ToolArguments.tools.lazy.compactMap(\.object).first { $0["name"]?.string == name }
            guard let schema = tool?["inputSchema"]?.object else {
                throw ProtocolError(code: -32602, message: "Unknown tool: \(name)")
            }
            return await answer(of: name, parameters["arguments"]?.object ?? [:], schema: schema)
        default: throw ProtocolError(code: -32601, message: "Method not found: \(method)")
        }
    }

    /// A result that clients may keep for an hour.
    private static func cached(_ members: JSONObject) -> JSONObject {
        var members = members
        members["ttlMs"] = 3_600_000
        members["cacheScope"] = "public"
        return members
    }

    private func answer(of tool: String, _ arguments: JSONObject, schema: JSONObject) async -> JSONObject {
        do {
            let text = withoutSecrets(try await call(tool, try ToolArguments(arguments, schema: schema)))
            var result: JSONObject = ["content": [["type": "text", "text": .string(text)]]]
            if let json = try? JSONValue(parsing: text), json.object != nil { result["structuredContent"] = json }
            return result
        } catch {
            let text = withoutSecrets(Posthorn.sentence(for: error))
            return ["content": [["type": "text", "text": .string(text)]], "isError": true]
        }
    }

    private func withoutSecrets(_ text: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        let given = ["POSTHORN_MASTER_SECRET", "POSTHORN_OPERATOR_TOKEN", "PGPASSWORD"].compactMap { environment[$0] }
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
            return ProcessInfo.processInfo.environment["POSTHORN_URL"].map { ["--url=\($0.withoutURLUser)"] } ?? []
        }

        func client() throws -> APIClient { try stack?.api ?? ServerOptions.parse([]).client() }
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
        let answer = try await client.call(method, path, body: body.map { JSONValue.object($0).bytes })
        guard (200..<300).contains(answer.status) else { throw ToolProblem(ControlRefusal(answer).description) }
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
