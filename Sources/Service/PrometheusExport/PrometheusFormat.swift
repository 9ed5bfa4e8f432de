/// The format of a page of metrics.
package enum PrometheusFormat: Sendable, CaseIterable {
    /// The Prometheus text format, version 0.0.4.
    case text
    /// OpenMetrics 1.0.
    case openMetrics

    /// Returns the format that the client asks for in the field `Accept`; the text format if it does not name OpenMetrics.
    package init(accept: String?) {
        self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .text
    }

    /// The value of the field `Content-Type`.
    package var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}
