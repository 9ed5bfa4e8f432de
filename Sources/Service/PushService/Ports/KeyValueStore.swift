/// Values by key.
package protocol KeyValueStore: Sendable {
    func value(_ key: String) async throws -> [UInt8]?
    func setValue(_ value: [UInt8], for key: String) async throws
}
