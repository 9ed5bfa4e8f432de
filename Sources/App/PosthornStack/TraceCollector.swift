import Foundation
import FoundationNetworking
package import Logging
import NIOHTTP1
package import OTLPExport
package import PushClock
import PushModel

/// An OpenTelemetry collector that takes spans as JSON over HTTP.
///
/// Source: OpenTelemetry, "OTLP Specification", section "OTLP/HTTP".
package struct TraceCollector: Hashable, Sendable {
    /// The time limit of a request, in seconds.
    private static let patience: TimeInterval = 5

    private let address: URL

    /// Creates a collector from its base URL, such as `http://127.0.0.1:4318`; nil for anything else than a base URL of HTTP or HTTPS.
    package init?(_ url: String) {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, let address = parts.url
        else { return nil }
        self.address = address.appending(path: "v1/traces")
    }

    /// Returns the exporter to this collector, ready to run.
    ///
    /// - Parameters:
    ///   - service: the value of the resource attribute `service.name`.
    ///   - clock: the clock of the pauses between requests.
    ///   - logger: receives a warning when the collector accepts nothing.
    /// - Returns: the exporter.
    package func exporter(of service: String, clock: any CivilClock, logger: Logger) -> OTLPExporter {
        OTLPExporter(service: service, clock: clock, logger: logger) { await send($0) }
    }

    private func send(_ body: [UInt8]) async -> OTLPExporter.Answer {
        let request = URLRequest(posting: body, to: address, timeout: Self.patience)
        do {
            let (head, body) = try await HTTPExchange(limit: 64 * 1024).answer(to: request)
            let problem = "\(head.status.code) \(String(decoding: body.prefix(200), as: UTF8.self))"
            switch head.status.code {
            case 200..<300: return .accepted
            // The statuses after which the specification lets a client try again.
            case 429, 502, 503, 504: return .unavailable(problem)
            default: return .refused(problem)
            }
        } catch {
            return .unavailable("\(address.absoluteString.withoutURLUser): \(error.localizedDescription)")
        }
    }
}
