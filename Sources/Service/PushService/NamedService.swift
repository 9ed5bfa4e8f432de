package import ServiceLifecycle

/// A service that is its name in a log.
///
/// ServiceLifecycle logs services as texts, and the text of a structure is all that it holds.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    package var description: String { "\(Self.self)" }
}
