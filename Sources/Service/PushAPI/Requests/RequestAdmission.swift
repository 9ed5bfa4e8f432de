import DeviceLinkNIO
import Hummingbird
import NIOHTTP1
import NetworkSupport
import PushModel

/// Rejects requests with a foreign host name or an encoded body, and reports why a link was not opened.
struct RequestAdmission: RouterMiddleware {
    typealias Context = APIContext

    let admission: LinkAdmission

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        let host = request.head.authority
        guard admission.hosts.admits(host) else {
            throw JPushError(status: 421, code: 1003, message: HostRule.problem(host))
        }
        if let coding = contentCoding(of: request) {
            let message =
                "The body is encoded as '\(coding)', which this server does not decode; send it without Content-Encoding."
            var response = Response(JPushError(status: 415, code: 1003, message: message))
            response.headers[.acceptEncoding] = "identity"
            return response
        }
        // A request that opens a link does not get here.
        if request.uri.path == PushAPI.linkPath, request.method == .get { throw refusalOfLink(request) }
        return try await next(request, context)
    }

    /// The content coding of the body; nil for a body that is sent as it is.
    ///
    /// Source: RFC 9110, sections 8.4 and 15.5.16.
    private func contentCoding(of request: Request) -> String? {
        guard [.post, .put, .patch].contains(request.method) else { return nil }
        for line in request.headers[values: .contentEncoding] {
            for element in line.split(separator: ",") {
                let coding = element.drop(while: Self.isBlank).prefix { !Self.isBlank($0) }
                if !coding.isEmpty, coding.lowercased() != "identity" { return String(coding.prefix(40)) }
            }
        }
        return nil
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    private func refusalOfLink(_ request: Request) -> JPushError {
        let refusal = admission.refusal(
            host: request.head.authority,
            origins: request.headers[values: .origin],
            authorization: request.headers[.authorization]
        )
        guard let refusal else {
            return JPushError(status: 426, code: 1003, message: "This is the SDK link; open it as a WebSocket.")
        }
        return JPushError(status: Int(refusal.status.code), code: 1003, message: refusal.message)
    }
}
