import Foundation
import PosthornClient
import SystemPort

/// The client's memory in the app's small store on the phone, which the app's service extension has, too.
struct PortStateStore: StateStore {
    private static let prefix = "posthorn."

    let port: PortReference

    func data(for key: String) throws -> Data? {
        guard let port = port.port else { return nil }
        if case .value(let text?) = port.read(.readStorage(key: Self.prefix + key)) { return Data(text.utf8) }
        return OlderStore(port: port).data(for: key)
    }

    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let text = data.map { String(decoding: $0, as: UTF8.self) }
        port.port?.call(.writeStorage(key: Self.prefix + key, value: text)) { reply in
            done(reply == .done ? .success(()) : .failure(CocoaError(.fileWriteUnknown)))
        }
    }

    func keys() throws -> [String] {
        guard case .storageKeys(let keys)? = port.port?.read(.storageKeys(prefix: Self.prefix)) else { return [] }
        return keys.map { String($0.dropFirst(Self.prefix.count)) }
    }
}
