import Foundation

/// The file with the address of a running device's control endpoint.
struct DeviceControlFile {
    private let name: String
    private let url: URL

    /// Names the file of a device.
    ///
    /// - Throws: ``DeviceOrderProblem`` for a name that no file can have, and when its folder is not this user's alone: another
    ///   user's file could redirect orders to that user.
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

    /// The folder in `$XDG_RUNTIME_DIR`, or else one of this user's in the system's temporary folder.
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
        // It may be gone already, which is fine.
        try? FileManager.default.removeItem(at: url)
    }
}
