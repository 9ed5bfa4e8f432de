import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

/// The service that an operator manages: one that runs on a data folder, or elsewhere; or a folder on which none runs.
/// Also says how to print its answers.
struct OperatorOptions: ParsableArguments {
    @Flag(help: "Print as JSON.") var json = false

    @Option(help: "The service's data folder. A running service is asked over its socket there.")
    var data = "posthorn-data"

    @Option(
        help: .url(
            "URL of the PostgreSQL database of a service that does not run here (or POSTHORN_STORE, which the process list does "
                + "not show)."
        )
    )
    var store: String?

    @Option(help: "URL of a service on another machine, instead of --data.") var url: String?

    @Option(help: "The operator token for --url (or POSTHORN_OPERATOR_TOKEN, which the process list does not show).")
    var token: String?

    @OptionGroup var authorities: AuthoritiesOption

    /// Returns a client of the service or of its store; `creates` makes a data folder that is not there.
    func client(creates: Bool = false) async throws -> OperatorClient {
        guard let url else {
            let place = try StorePlace(store ?? EnvironmentSettings["POSTHORN_STORE"])
            return try await OperatorClient(data: data, store: place, creates: creates)
        }
        guard let token = token ?? EnvironmentSettings["POSTHORN_OPERATOR_TOKEN"] else {
            throw ValidationError("--url needs --token, or POSTHORN_OPERATOR_TOKEN: the service's operator.token.")
        }
        return OperatorClient(url: url, token: token, authorities: try authorities.path)
    }

    /// Performs an operation and, with --json, prints the answer; only the list if nothing else is in it.
    ///
    /// - Returns: the answer; nil if it was printed.
    func answer<Answer: Decodable>(_ request: OperatorRequest, creates: Bool = false) async throws -> Answer? {
        let answer = try await perform(request, creates: creates)
        guard json else { return try OperatorClient.read(answer) }
        printLine((answer.members.count == 1 ? answer.members[0].value : .object(answer)).text)
        return nil
    }

    /// Performs an operation.
    func perform(_ request: OperatorRequest, creates: Bool = false) async throws -> JSONObject {
        do {
            return try await client(creates: creates).perform(request)
        } catch let error as OperatorError where error.code == .badRequest {
            // Flags have the names of the parameters.
            throw OperatorError(
                .badRequest,
                error.message.replacing(/Key '(\w+)'/) { "--\($0.1.replacing("_", with: "-"))" }
            )
        }
    }
}
