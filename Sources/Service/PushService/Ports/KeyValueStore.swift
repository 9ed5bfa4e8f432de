/// Values by key.
package protocol KeyValueStore: Sendable {
    func value(_ key: String) async throws -> [UInt8]?
    func setValue(_ value: [UInt8], for key: String) async throws
    /// Stores a value unless there is one for the key; returns the value that the store has afterwards.
    func setDefault(_ value: [UInt8], for key: String) async throws -> [UInt8]
}
