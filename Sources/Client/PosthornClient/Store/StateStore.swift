import Foundation

/// The client's durable memory: a few small values by name.
///
/// App and service extension share one, by an App Group. Each call has finished on disk when it returns, since the process may
/// be killed right after it.
public protocol StateStore: Sendable {
    /// Returns the value of this name; nil if there is none.
    func data(for key: String) throws -> Data?

    /// Stores a value, or removes it with nil.
    func set(_ data: Data?, for key: String) throws

    /// Returns the names of all values.
    func keys() throws -> [String]
}
