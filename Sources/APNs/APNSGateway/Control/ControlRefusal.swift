import HTTPTypes
import Hummingbird
import Logging
import NetworkSupport
import PushModel

/// The reason why a request to the control endpoint was refused.
package struct ControlRefusal: Error {
    var status: HTTPResponse.Status
    package var message: String

    static func notFound(_ message: String) -> ControlRefusal { ControlRefusal(status: .notFound, message: message) }
    static func conflict(_ message: String) -> ControlRefusal { ControlRefusal(status: .conflict, message: message) }
    static func bad(_ message: String) -> ControlRefusal { ControlRefusal(status: .badRequest, message: message) }
}
