// Network as far as the client for apps uses it.

@_exported import Foundation

@available(iOS 12.0, *)
public struct NWPath {
    public enum Status {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status: Status
}

@available(iOS 12.0, *)
public final class NWPathMonitor {
    public init() {}
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    public func start(queue: DispatchQueue) {}
}
