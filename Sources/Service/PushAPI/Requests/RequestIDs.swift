import HTTPTypes
import Hummingbird
import Logging
import PushModel
import PushService
import Synchronization
import Tracing

/// Gives each request an id: the caller's `X-Request-Id`, or a new one. The response, the log and the journeys of its pushes have it.
final class RequestIDs: Sendable {
    /// The maximum length of a caller's id.
    static let longest = 128

    /// Whether a tracing backend is set. Without one, a push should not pay for it.
    let isTracing = InstrumentationSystem.backend != nil
    /// Differs from the ids of earlier runs.
    private let process: String
    private let count = Atomic<UInt64>(0)

    init() {
        var random = SystemRandomNumberGenerator()
        process = random.hexadecimalDigits(12)
    }

    /// Returns the origin of the pushes of a request with these fields `X-Request-Id`. Several, or one with other characters than
    /// letters, digits and `-_.:/+=@`, are not taken over: they come from a proxy, which the caller cannot correct.
    func origin(given: [String]) -> RequestOrigin {
        guard given.count == 1, Self.isUsable(given[0]) else {
            let number = count.wrappingAdd(1, ordering: .relaxed).newValue
            return RequestOrigin(requestID: "\(process)-\(String(number, radix: 16))")
        }
        return RequestOrigin(requestID: given[0])
    }

    private static func isUsable(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count)
            && id.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_.:/+=@".utf8.contains(octet)
                }
            }
    }
}

/// Sets the id of a request for its task, its log entries and its response.
struct RequestIDMiddleware: RouterMiddleware {
    let ids: RequestIDs

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        var origin = ids.origin(given: request.headers[values: .requestID])
        if ids.isTracing, let traceContext = InstrumentationContext.current {
            InstrumentationSystem.instrument.inject(traceContext, into: &origin.trace, using: TraceInjector())
        }
        var context = context
        context.logger[metadataKey: "request.id"] = "\(origin.requestID)"
        var response = try await RequestOrigin.$current.withValue(origin) { try await next(request, context) }
        response.headers[.requestID] = origin.requestID
        return response
    }
}

private struct TraceInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
