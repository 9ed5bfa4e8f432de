// os as far as the client for apps uses it.

@_exported import Foundation

@available(iOS 10.0, *)
public final class OSLog: NSObject, Sendable {
    public init(subsystem: String, category: String) {}
}

@available(iOS 10.0, *)
public func os_log(_ message: StaticString, log: OSLog, _ arguments: any CVarArg...) {}

@available(iOS 12.0, *)
public struct OSSignpostID: Sendable {
    public init(log: OSLog) {}
}

@available(iOS 12.0, *)
public enum OSSignpostType: Sendable {
    case begin
    case end
}

@available(iOS 12.0, *)
public func os_signpost(_ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID) {}
