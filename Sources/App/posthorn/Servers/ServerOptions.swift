import ArgumentParser
import Foundation
import PosthornStack
import PushModel

/// The service to call, and the app to call it as.
struct ServerOptions: ParsableArguments {
    @Option(help: "URL of the service (or POSTHORN_URL; http://127.0.0.1:8080 if neither is given).") var url: String?
    @Option(help: "The app's key (or POSTHORN_APP_KEY).") var appKey: String?

    @Option(help: "The app's master secret (or POSTHORN_MASTER_SECRET, which the process list does not show).")
    var masterSecret: String?

    @OptionGroup var authorities: AuthoritiesOption

    var client: APIClient {
        get throws {
            APIClient(
                url: url ?? EnvironmentSettings["POSTHORN_URL"] ?? "http://127.0.0.1:8080",
                appKey: try required(appKey, name: "--app-key", variable: "POSTHORN_APP_KEY"),
                masterSecret: try required(masterSecret, name: "--master-secret", variable: "POSTHORN_MASTER_SECRET"),
                authorities: try authorities.path
            )
        }
    }

    /// Prints the service's answer to a GET request as JSON.
    func show(_ path: String) async throws { printLine(try await client.get(path).members.text) }

    private func required(_ flag: String?, name: String, variable: String) throws -> String {
        guard let value = flag ?? EnvironmentSettings[variable] else {
            throw ValidationError("\(name) is missing; give it, or set \(variable). 'posthorn app create' prints both.")
        }
        return value
    }
}

/// The service to call, and whether its response is printed as it is.
struct ResponseOptions: ParsableArguments {
    @Flag(help: "Print the service's response unchanged.") var json = false
    @OptionGroup var server: ServerOptions

    var client: APIClient { get throws { try server.client } }

    /// Prints what was done; with --json, the response instead.
    func report(_ answer: APIClient.Answer, _ done: String) throws {
        _ = try answer.members
        printLine(json ? answer.json.text : done)
    }

    /// Reads a response and, with --json, prints it.
    ///
    /// - Returns: its value; nil if it was printed.
    func read<Value: Decodable>(_ answer: APIClient.Answer) throws -> Value? {
        let value: Value = try answer.read()
        guard json else { return value }
        printLine(answer.json.text)
        return nil
    }
}

extension APIClient.Answer {
    /// The members of an answer of success.
    ///
    /// - Throws: ``ServerRefusal`` for any other answer.
    var members: JSONObject {
        get throws {
            guard status == 200, let members = json.object else { throw ServerRefusal(self) }
            return members
        }
    }

    /// Reads an answer of success.
    ///
    /// - Throws: ``ServerRefusal`` for any other answer.
    func read<Value: Decodable>() throws -> Value {
        guard status == 200 else { throw ServerRefusal(self) }
        return try JSONCoding.read(from: json)
    }
}

/// A refusal by a gateway's control endpoint.
struct GatewayRefusal: Error, CustomStringConvertible {
    private struct Answer: Decodable { let error: String }

    let description: String

    init(_ answer: APIClient.Answer) {
        let problem = try? JSONCoding.read(Answer.self, from: answer.json)
        description = problem?.error ?? "The gateway answered \(answer.status)."
    }
}

/// A refusal by the service.
struct ServerRefusal: Error, CustomStringConvertible {
    var description: String

    init(_ answer: APIClient.Answer) {
        let problem = JPushError(json: answer.json).map { " \($0)" } ?? ": \(answer.json.text)"
        description = "The service answered \(answer.status)\(problem)"
    }
}

/// Prints warnings, each after a prefix.
func printWarnings(_ warnings: [PushWarning]?, of prefix: String = "") {
    for warning in warnings ?? [] { printNote("\(prefix)Warning: \(Language.ofProcess.said(warning.message).printed)") }
}
