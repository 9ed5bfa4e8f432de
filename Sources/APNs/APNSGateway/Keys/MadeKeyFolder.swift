import AppleDeveloper
import Foundation
import PushModel

/// The folder with the keys that were made at the control endpoint: one file each, `ID.json`, with the public half of the key.
///
/// The private half is not kept, as Apple's site does not keep it.
struct MadeKeyFolder: Sendable {
    private let path: String

    /// - Throws: if the folder cannot be created.
    init(_ path: String) throws {
        self.path = path
        try PrivateFile.makeFolder(path)
    }

    /// Returns the keys in the order in which they were made.
    ///
    /// - Throws: ``PrivateFile/Problem`` if a file is not such a key.
    func load() throws -> [MadeKey] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(Self.suffix) }
        return try names.map { try read($0) }.sorted { $0.number < $1.number }
    }

    func write(_ key: MadeKey) throws {
        try PrivateFile.write(Data(JSONValue.object(key.json).bytes), to: file(key.key.id + Self.suffix))
    }

    /// Removes the file of a key that is forgotten.
    func remove(_ keyID: String) throws { try FileManager.default.removeItem(atPath: file(keyID + Self.suffix)) }

    private static let suffix = ".json"

    private func file(_ name: String) -> String {
        URL(filePath: path).appending(path: name).path(percentEncoded: false)
    }

    private func read(_ name: String) throws -> MadeKey {
        let file = file(name)
        let data = try PrivateFile.read(file) ?? Data()
        do {
            let key = try MadeKey(json: try JSONValue(parsing: data))
            guard key.key.id + Self.suffix == name else {
                throw PrivateFile.Problem(description: "it is key '\(key.key.id)'")
            }
            return key
        } catch {
            throw PrivateFile.Problem(
                description:
                    "'\(file)' is not a key that was made at the control endpoint: \(error) Restore it from a backup, or "
                    + "delete it: providers that use the key are then answered with 403 InvalidProviderToken."
            )
        }
    }
}
