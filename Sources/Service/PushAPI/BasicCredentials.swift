import Hummingbird
import NetworkSupport

/// The credentials of a request: `Basic base64(user:password)`.
struct BasicCredentials {
    var user: String
    var password: String

    /// Nil for missing or unreadable credentials.
    init?(_ request: Request) {
        guard let pair = Authorization.basic(in: request.headers[.authorization]) else { return nil }
        (user, password) = pair
    }
}
