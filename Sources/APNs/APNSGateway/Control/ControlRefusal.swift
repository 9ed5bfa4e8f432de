import HTTPTypes

/// The reason why a request to the control endpoint was refused.
struct ControlRefusal: Error {
    var status: HTTPResponse.Status
    var message: String

    static func notFound(_ message: String) -> ControlRefusal { ControlRefusal(status: .notFound, message: message) }
    static func bad(_ message: String) -> ControlRefusal { ControlRefusal(status: .badRequest, message: message) }
}
