package import ServiceLifecycle

/// A service that appears in logs as its name.
///
/// ServiceLifecycle logs the description of a service; by default that of a structure is its entire contents.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService { package var description: String { "\(Self.self)" } }
