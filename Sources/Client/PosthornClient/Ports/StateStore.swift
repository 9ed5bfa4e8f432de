import Foundation

/// The client's durable memory: a few small values by name.
///
/// App and service extension share one, by an App Group.
public protocol StateStore: Sendable {
    /// Returns the value of this name; nil if there is none.
    func data(for key: String) throws -> Data?

    /// Stores a value, or removes it with nil, and calls `done` once that is on disk: the process may be killed right after it. `done`
    /// is called within the call or later, on any thread.
    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void)

    /// Returns the names of all values.
    func keys() throws -> [String]
}
