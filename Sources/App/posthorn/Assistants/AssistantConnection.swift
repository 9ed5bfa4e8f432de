import PushClock
import PushModel

/// A connection to an assistant, by the Model Context Protocol: a message a line, and one writer for all answers.
///
/// It speaks revision [2026-07-28](https://modelcontextprotocol.io/specification/2026-07-28), in which each request stands alone, and
/// the earlier ones that begin with a handshake. Each call of a tool has a task, so that a slow one holds up no other request; calls that
/// change something are done in the order in which they came, and a call waits for those before it.
actor AssistantConnection {
    /// The most calls in progress.
    static let mostCalls = 100
    /// The most messages of a batch.
    static let mostMessages = 100

    private static let revision = "2026-07-28"
    private static let earlierRevisions = ["2025-11-25", "2025-06-18", batchRevision, "2024-11-05"]
    /// The only revision with batches.
    private static let batchRevision = "2025-03-26"
    private static let instructions = """
        Verifies code that sends or receives push notifications for iOS. Start a sandbox, let the code under test send to it, and ask \
        what became of each push. Read 'why' before you guess.
        """
    private static let server: JSONMembers = ["name": "posthorn", "version": Posthorn.version]
    private static let capabilities: JSONValue = ["tools": [:]]

    private let session: AssistantSession
    /// The calls in progress, by the ids of their requests.
    private var calls: [JSONValue: Task<Void, Never>] = [:]
    private var lastChange: Task<Void, Never>?
    /// The revision of the handshake; nil without one.
    private var agreed: String?

    init(_ session: AssistantSession) { self.session = session }

    /// Answers until the input ends, and stops the sandbox.
    func run(_ lines: InputLines) async {
        while let line = await lines.next() { receive(line) }
        session.inputEnd.make(.success(()))
        for call in calls.values { await call.value }
        await session.sandbox.stop()
    }

    private func receive(_ line: InputLines.Line) {
        guard !line.isTooLong else {
            return refuse(nil, .invalid("The line has more than \(InputLines.mostBytes) bytes."))
        }
        // A blank line is not a message.
        guard !line.bytes.allSatisfy({ $0 <= UInt8(ascii: " ") }) else { return }
        guard let message = try? JSONValue(parsing: line.bytes) else {
            return refuse(nil, ProtocolError(code: -32700, message: "The line is not JSON."))
        }
        guard let batch = message.array, agreed == Self.batchRevision else { return receive(message) }
        guard (1...Self.mostMessages).contains(batch.count) else {
            return refuse(nil, .invalid("The batch has \(batch.count) messages; expected 1 to \(Self.mostMessages)."))
        }
        // Clients that read a message a line would not find those in an array.
        for message in batch { receive(message) }
    }

    private func receive(_ message: JSONValue) {
        let request = message.object ?? [:]
        let id = request["id"].flatMap { $0.string == nil && $0.integer == nil ? nil : $0 }
        do throws(ProtocolError) {
            // This end sends no requests, so a response is to none.
            let isResponse = request["result"] != nil || request["error"] != nil
            guard let method = request["method"]?.string else {
                if isResponse { return }
                throw .invalid("The message has no method.")
            }
            guard request["jsonrpc"] == "2.0" else { throw .invalid("'jsonrpc' is not \"2.0\".") }
            let parameters = try Self.object("params", request["params"])
            guard request["id"] != nil else {
                if method == "notifications/cancelled" { calls[parameters["requestId"] ?? .null]?.cancel() }
                return
            }
            guard let id else { throw .invalid("'id' is neither a string nor an integer.") }
            guard calls[id] == nil else { throw .invalid("A request with this id is in progress.") }
            let isModern = try Self.isModern(parameters)
            guard method == "tools/call" else {
                return respond(to: id, try result(of: method, parameters), isModern: isModern)
            }
            try call(id, parameters, isModern: isModern)
        } catch {
            refuse(id, error)
        }
    }

    /// Returns an object of a message; null and nothing count as an empty one.
    private static func object(_ name: String, _ value: JSONValue?) throws(ProtocolError) -> JSONObject {
        guard let value, value != .null else { return [:] }
        guard let object = ToolArguments.read(value, as: "object")?.object else {
            throw ProtocolError(code: -32602, message: "'\(name)' is not an object.")
        }
        return object
    }

    /// Whether a request stands alone, which it says by its revision.
    private static func isModern(_ parameters: JSONObject) throws(ProtocolError) -> Bool {
        let asked = parameters["_meta"]?.object?["io.modelcontextprotocol/protocolVersion"]?.string
        guard let asked, asked != revision else { return asked != nil }
        throw ProtocolError(
            code: -32022,
            message: "Unsupported protocol version",
            data: ["supported": [revision], "requested": asked]
        )
    }

    private func result(of method: String, _ parameters: JSONObject) throws(ProtocolError) -> JSONMembers {
        switch method {
        case "server/discover":
            return Self.cached([
                "supportedVersions": [Self.revision], "capabilities": Self.capabilities,
                "instructions": Self.instructions,
            ])
        case "initialize":
            let asked = parameters["protocolVersion"]?.string ?? ""
            let version = Self.earlierRevisions.contains(asked) ? asked : Self.earlierRevisions[0]
            agreed = version
            return [
                "protocolVersion": version, "capabilities": Self.capabilities, "serverInfo": Self.server,
                "instructions": Self.instructions,
            ]
        case "ping": return [:]
        case "tools/list":
            // All tools are on one page, so no cursor was ever given.
            guard parameters["cursor"] ?? .null == .null else {
                throw ProtocolError(code: -32602, message: "Unknown cursor")
            }
            return Self.cached(["tools": ToolArguments.tools])
        default: throw ProtocolError(code: -32601, message: "Method not found: \(method)")
        }
    }

    /// A result that clients may keep for an hour.
    private static func cached(_ members: JSONMembers) -> JSONMembers {
        var members = members
        members["ttlMs"] = 3_600_000
        members["cacheScope"] = "public"
        return members
    }
}

// MARK: Calls

extension AssistantConnection {
    private func call(_ id: JSONValue, _ parameters: JSONObject, isModern: Bool) throws(ProtocolError) {
        let name = parameters["name"]?.string ?? ""
        guard let tool = ToolArguments.tools.lazy.compactMap(\.object).first(where: { $0["name"]?.string == name })
        else { throw ProtocolError(code: -32602, message: "Unknown tool: \(name)") }
        let arguments = try Self.object("arguments", parameters["arguments"])
        guard calls.count < Self.mostCalls else {
            throw ProtocolError(code: -32603, message: "\(Self.mostCalls) calls are in progress.")
        }
        let token = parameters["_meta"]?.object?["progressToken"]
        let before = lastChange
        // Not in a group, whose tasks can only be cancelled together. `run` awaits all.
        let task = Task {
            await before?.value
            let result = await progressing(name, token: token) { await self.session.answer(of: tool, arguments) }
            calls[id] = nil
            // A cancelled request gets no response.
            if !Task.isCancelled { respond(to: id, result, isModern: isModern) }
        }
        calls[id] = task
        if tool["annotations"]?.object?["readOnlyHint"] != true { lastChange = task }
    }

    /// Performs a call, and tells the client each second that it goes on, if its request has a token for that.
    private func progressing(
        _ tool: String,
        token: JSONValue?,
        _ body: @Sendable () async -> JSONMembers
    ) async -> JSONMembers {
        // Ends with the body.
        async let _: Void = tick(tool, token)
        return await body()
    }

    private func tick(_ tool: String, _ token: JSONValue?) async {
        guard let token, token.string != nil || token.integer != nil else { return }
        var seconds = 0
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            seconds += 1
            write([
                "jsonrpc": "2.0", "method": "notifications/progress",
                "params": [
                    "progressToken": token, "progress": seconds, "message": "'\(tool)' has taken \(seconds) s.",
                ] as JSONMembers,
            ])
        }
    }
}

// MARK: Answers

extension AssistantConnection {
    /// An error of the protocol, by its code in JSON-RPC.
    private struct ProtocolError: Error {
        var code: Int64
        var message: String
        var data: JSONMembers?

        static func invalid(_ message: String) -> Self { Self(code: -32600, message: message) }
    }

    private func respond(to id: JSONValue, _ members: JSONMembers, isModern: Bool) {
        var members = members
        if isModern {
            members["resultType"] = "complete"
            members["_meta"] = ["io.modelcontextprotocol/serverInfo": Self.server] as JSONMembers
        }
        write(["jsonrpc": "2.0", "id": id, "result": members])
    }

    private func refuse(_ id: JSONValue?, _ problem: ProtocolError) {
        var error: JSONMembers = ["code": problem.code, "message": problem.message]
        if let data = problem.data { error["data"] = data }
        write(["jsonrpc": "2.0", "id": id, "error": error])
    }

    private func write(_ message: JSONMembers) { printJSON(message) }
}
