#if canImport(Security)
import Foundation
import Security

/// A store in the Keychain, which survives the removal of the app.
public struct KeychainStateStore: StateStore {
    private let service: String
    private let accessGroup: String?

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - service: the name under which the values are stored.
    ///   - accessGroup: the group that app and extension share; nil for the app alone.
    public init(service: String = "posthorn", accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    public func data(for key: String) throws -> Data? {
        var query = query(key)
        query[kSecReturnData] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try check(status)
        return found as? Data
    }

    public func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        done(Result { try write(data, for: key) })
    }

    private func write(_ data: Data?, for key: String) throws {
        guard let data else {
            let status = SecItemDelete(query(key) as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
            return
        }
        let change: [CFString: Any] = [kSecValueData: data]
        let status = SecItemUpdate(query(key) as CFDictionary, change as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status) }
        var item = query(key)
        item[kSecValueData] = data
        // Never in a backup: two phones that are restored from one must not share an identity.
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        try check(SecItemAdd(item as CFDictionary, nil))
    }

    public func keys() throws -> [String] {
        var query = query(nil)
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return [] }
        try check(status)
        let items = found as? [[CFString: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount] as? String }.sorted()
    }

    private func query(_ key: String?) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query[kSecAttrAccount] = key
        query[kSecAttrAccessGroup] = accessGroup
        return query
    }

    private func check(_ status: OSStatus) throws {
        // The phone was restarted and not unlocked yet.
        if status == errSecInteractionNotAllowed { throw CocoaError(.fileReadNoPermission) }
        guard status == errSecSuccess else {
            throw PosthornError(code: PosthornError.unknown, message: "The Keychain answers with status \(status).")
        }
    }
}
#endif
