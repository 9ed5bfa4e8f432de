import Foundation
import FoundationNetworking
import NIOHTTP1
import PushClock
package import PushModel
package import PushService

/// Performs the operations of an operator: in the service that runs on a data folder, over its socket; in a service elsewhere,
/// over HTTP; or, if no service runs, on the folder itself.
package struct OperatorClient: Sendable {
    private enum Target: Sendable {
        case folder(OpenFolder)
        case socket(data: String, StorePlace, patience: Duration)
        case url(String, token: String, authorities: String?)
    }

    /// A data folder on which no service runs.
    private struct OpenFolder: Sendable {
        let controller: OperatorController
        /// The folder's lock is held as long as this value lives, so that no service starts meanwhile.
        let folder: DataFolder
    }

    private let target: Target

    /// Creates a client of a service elsewhere.
    ///
    /// - Parameters:
    ///   - url: the base URL, such as `https://push.example.com`.
    ///   - token: the service's operator token.
    ///   - authorities: the path of a PEM file with the authorities to trust; nil for the system's.
    package init(url: String, token: String, authorities: String?) {
        target = .url(url.hasSuffix("/") ? String(url.dropLast()) : url, token: token, authorities: authorities)
    }

    /// Creates a client of the service that runs on a data folder; if none does, of the folder.
    ///
    /// - Parameters:
    ///   - data: the path of the folder.
    ///   - place: the place of the store, for a folder on which no service runs.
    ///   - creates: whether to create a folder and database that are not there.
    ///   - patience: how long to wait for a service that is starting.
    /// - Throws: ``DataFolderProblem``; ``StoreProblem``; `StoreError`.
    package init(
        data: String,
        store place: StorePlace = .folder,
        creates: Bool,
        patience: Duration = .seconds(5)
    ) async throws {
        // The marks of a service's data folder: a secret, of which the store has the other half.
        let file = if case .folder = place { "posthorn.sqlite" } else { "secret.key" }
        let isThere = [file, "store"].contains {
            FileManager.default.fileExists(atPath: DataFolder.path(of: $0, in: data))
        }
        guard creates || isThere else {
            throw DataFolderProblem(
                "There is no \(file) in '\(data)'; expected the data folder of a service. Give it with --data."
            )
        }
        target =
            try await Self.openFolder(data, place).map { .folder($0) }
            ?? .socket(data: data, place, patience: patience)
    }

    /// Opens a data folder; returns nil if another process uses it.
    private static func openFolder(_ data: String, _ place: StorePlace) async throws -> OpenFolder? {
        let folder: DataFolder
        do { folder = try DataFolder(data) } catch let problem as DataFolderProblem where problem.isInUse { return nil }
        let open = try await CommandStore.open(place, in: folder)
        let vault = CredentialVault(store: open.store, keys: ServiceKeys(secret: open.secret))
        let controller = OperatorController(
            store: open.store,
            vault: vault,
            inspector: CertificateReader(),
            machine: ServiceMachine(folder: folder.path, storeInspector: open.inspector),
            nodes: open.nodes,
            clock: SystemClock()
        )
        return OpenFolder(controller: controller, folder: folder)
    }

    /// Performs an operation.
    ///
    /// - Throws: ``OperatorError`` if the service refuses it; ``APIProblem`` if there is no answer.
    package func perform(_ request: OperatorRequest) async throws -> JSONObject {
        let (name, parameters) = JSONCoding.namedCase(of: request)
        return try await perform(named: name, parameters)
    }

    /// Reads the answer to a request.
    ///
    /// - Throws: ``APIProblem`` if a member is missing or of another form.
    package static func read<Answer: Decodable>(_ answer: JSONObject) throws -> Answer {
        do { return try JSONCoding.read(from: .object(answer)) } catch let problem as JSONProblem {
            throw APIProblem(
                "The service's answer is unknown: \(problem) The service may be older than this command: restart it with "
                    + "this version."
            )
        }
    }

    /// Performs the operation of a name, which the service may not have.
    package func perform(named operation: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        let body = parameters.bytes
        switch target {
        case .folder(let open): return try await open.controller.perform(operation, body)
        case .socket(let data, let place, let patience):
            return try await Self.answer(onSocketIn: data, place, within: patience, to: operation, body)
        case .url(let url, let token, let authorities):
            do {
                return try await Self.answer(
                    of: url,
                    over: HTTPExchange(authorities: authorities),
                    token: token,
                    to: operation,
                    body
                )
            } catch let error as HTTPExchange.NotConnected {
                throw APIProblem("\(url) does not answer (\(error)); is 'posthorn serve' running there?")
            }
        }
    }

    private static func answer(
        onSocketIn data: String,
        _ place: StorePlace,
        within patience: Duration,
        to operation: String,
        _ body: [UInt8]
    ) async throws -> JSONObject {
        let start = ContinuousClock.now
        while true {
            do {
                let socket = try OperatorSocket(in: data, isServer: false)
                let exchange = HTTPExchange(socket: socket.path)
                return try await answer(of: "http://operator", over: exchange, token: nil, to: operation, body)
            } catch let error where error is HTTPExchange.NotConnected || error is DataFolderProblem {
                // The other process may have been a command, which has ended.
                if let open = try await openFolder(data, place) {
                    return try await open.controller.perform(operation, body)
                }
                // A service that has just started reads its devices first.
                guard ContinuousClock.now - start < patience else { throw noSocket(data) }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func noSocket(_ data: String) -> APIProblem {
        APIProblem(
            "A process uses '\(data)' and does not answer on its operator socket. Services older than "
                + "this command have no such socket; restart the service with this version. If it is still loading devices, try again."
        )
    }

    private static func answer(
        of url: String,
        over exchange: HTTPExchange,
        token: String?,
        to operation: String,
        _ body: [UInt8]
    ) async throws -> JSONObject {
        guard let address = URL(string: "\(url)/posthorn/v1/operator/\(operation)") else {
            throw APIProblem("'\(url)' is not a URL.")
        }
        var request = URLRequest(posting: body, to: address, timeout: 60)
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (head, data) = try await exchange.answer(to: request)
        guard let answer = (try? JSONValue(parsing: data))?.object else {
            throw APIProblem("\(url) did not answer with JSON; is that a Posthorn service?")
        }
        guard head.status == .ok else { throw OperatorError(answer, status: Int(head.status.code)) }
        return answer
    }
}

extension OperatorError {
    private struct Answer: Decodable {
        struct Refusal: Decodable { let code, message, reason: String? }

        let error: Refusal
    }

    /// Reads an error response.
    fileprivate init(_ answer: JSONObject, status: Int) {
        let error = (try? JSONCoding.read(Answer.self, from: .object(answer)))?.error
        guard let code = error?.code.flatMap(Code.init(rawValue:)) else {
            let message = error?.message ?? answer.text
            self.init(
                status == 404 ? .unknownOperation : .internalError,
                "The service answered \(status): \(message)"
                    + (status == 404 ? " It may be older than this command: restart it with this version." : "")
            )
            return
        }
        let isUnknown = error?.reason == Self.unknownParameter
        self.init(
            code,
            (error?.message ?? "")
                + (isUnknown ? " The service may be older than this command: restart it with this version." : ""),
            reason: error?.reason.flatMap(UnusableCredential.init(rawValue:))
        )
        isUnknownParameter = isUnknown
    }
}
