import Foundation

/// The file that says where a running device takes orders.
struct DeviceControlFile {
    private let name: String
    private let url: URL

    /// - Throws: ``DeviceOrderProblem`` for a name that no file can have, and when its folder is not this user's alone: a file of
    ///   somebody else would send orders to them.
    init(
        _ name: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DeviceOrderProblem) {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else {
            throw DeviceOrderProblem("'\(name)' cannot name a device; use letters, digits and blanks.")
        }
        self.name = name
        url = try Self.folder(environment).url.appending(path: name + ".device")
    }

    /// In `$XDG_RUNTIME_DIR`, else a folder of this user's below the system's temporary one.
    private static func folder(_ environment: [String: String]) throws(DeviceOrderProblem) -> OwnFolder {
        if let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
            return try OwnFolder("posthorn", in: URL(filePath: runtime, directoryHint: .isDirectory))
        }
        return try OwnFolder("posthorn-\(NSUserName())", in: FileManager.default.temporaryDirectory)
    }

    func write(_ text: String) throws {
        let path = url.path(percentEncoded: false)
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw DeviceOrderProblem("'\(path)' cannot be written.") }
    }

    func read() throws(DeviceOrderProblem) -> String {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw DeviceOrderProblem(
                "No device '\(name)' runs here; 'posthorn device run --name \"\(name)\" …' starts one."
            )
        }
        return text
    }

    func remove() {
        // Somebody else may have tidied up: that it is gone is all that matters.
        try? FileManager.default.removeItem(at: url)
    }
}
