import Foundation

/// The store of a client that sends nothing: it keeps no value, and leaves what another process has stored.
struct ForgetfulStore: StateStore {
    func data(for key: String) throws -> Data? { nil }

    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        done(.success(()))
    }

    func keys() throws -> [String] { [] }
}
