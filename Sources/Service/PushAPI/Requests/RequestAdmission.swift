import DeviceLinkNIO
import HTTPTypes
import Hummingbird
import NIOHTTP1
import NetworkSupport
import PushModel

/// Rejects requests with a foreign host name, and reports why a link was not opened.
struct RequestAdmission: RouterMiddleware {
    typealias Context = APIContext

    let admission: LinkAdmission

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority
        guard admission.hosts.admits(host) else {
            throw JPushError(status: 421, code: 1003, message: HostRule.problem(host))
        }
        // A request that opens a link does not get here.
        if request.uri.path == PushAPI.linkPath, request.method == .get { throw refusalOfLink(request) }
        return try await next(request, context)
    }

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
