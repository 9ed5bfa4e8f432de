import Foundation
import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import NetworkSupport
import PushModel

/// The reason why the control endpoint cannot listen.
struct ControlListenProblem: Error, CustomStringConvertible {
    var host: String
    var port: Int
    var error: IOError

    var description: String {
        "The control endpoint cannot listen on \(host):\(port): \(NetworkWords.reason(of: error)); choose another --control-port, or 0 for a free one."
    }
}

/// The HTTP interface of a gateway for tests and people: JSON, on a port of its own.
struct ControlEndpoint: Sendable {
    let gateway: Gateway
    let recorder: PushRecorder?
    let settings: GatewayServer.Control
    let logger: Logger

    /// The allowed first path components.
    static let resources = [
        "faults", "scripts", "log", "tokens", "keys", "provider-tokens", "certificates", "outage", "connections",
        "devices",
        "counts", "pushes", "clock",
    ]

    /// Serves requests until graceful shutdown or cancellation.
    ///
    /// - Throws: if the address cannot be bound.
    func run() async throws {
        let application = Application(
            router: router(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "Posthorn"
            ),
            onServerRunning: { [settings] in settings.isRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
        do { try await application.run() } catch let error as IOError {
            throw ControlListenProblem(host: settings.host, port: settings.port, error: error)
        }
    }

    var facts: ControlFacts { ControlFacts(gateway: gateway, recorder: recorder) }

    private func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(
            middleware: ControlGuard(
                token: settings.token,
                hosts: HostRule(listeningAt: settings.host),
                origins: OriginRule(pages: settings.pages?.segment),
                resources: Self.resources
            )
        )
        addFaults(to: router)
        addCredentials(to: router)
        addWatching(to: router)
        addClock(to: router)
        if let pages = settings.pages { add(pages, to: router) }
        if let recorder { addPushes(of: recorder, to: router) }
        return router
    }
}

/// Web pages for people at the control endpoint.
///
/// They read what the resources show, and their scripts call the resources. Browsers ask their user for the control token as a
/// password.
package protocol ControlPages: Sendable {
    /// The first component of their paths.
    static var segment: String { get }

    /// Answers a GET request whose path begins with the segment.
    func respond(to request: Request, _ facts: ControlFacts) async -> Response
}

extension ControlPages {
    /// The first component of their paths.
    package var segment: String { Self.segment }
}

extension ControlEndpoint {
    /// Adds routes for pages. `GET /` leads to them.
    private func add(_ pages: any ControlPages, to router: Router<BasicRequestContext>) {
        let segment = pages.segment
        router.get("") { _, _ in Response.redirect(to: "/\(segment)", type: .found) }
        for path in ["\(segment)", "\(segment)/**"] {
            router.get("\(path)") { request, _ in await pages.respond(to: request, facts) }
        }
    }
}

extension Response {
    init(_ status: HTTPResponse.Status = .ok, json: JSONObject) {
        self.init(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONValue.object(json).bytes))
        )
    }

    /// An answer with one list.
    init(_ name: String, _ list: [JSONObject]) { self.init(json: [name: .array(list.map { .object($0) })]) }
}

extension Request {
    /// The largest body in bytes.
    private static let bodyLimit = 1 << 20

    /// The parameters of the query string, in which a space is `%20` or, as in forms, `+`.
    var parameters: [(name: String, value: String)] {
        (uri.query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? String($0)
            }
            return (parts[0], parts.count == 2 ? parts[1] : "")
        }
    }

    /// The body as JSON.
    func json() async throws -> JSONValue {
        let bytes: ByteBuffer
        do { bytes = try await body.collect(upTo: Self.bodyLimit) } catch is NIOTooManyBytesError {
            throw ControlRefusal(
                status: .contentTooLarge,
                message: "The body has more than \(Self.bodyLimit) bytes; expected at most that many."
            )
        }
        do { return try JSONValue(parsing: bytes.readableBytesView) } catch {
            throw ControlRefusal.bad("The body is not JSON: \(error)")
        }
    }
}
