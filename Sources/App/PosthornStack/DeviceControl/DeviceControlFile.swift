import Foundation

/// The file that says where a running device takes orders.
struct DeviceControlFile {
    private let name: String
    private let url: URL

    /// - Throws: ``DeviceOrderProblem`` for a name that no file can have.
    init(_ name: String) throws(DeviceOrderProblem) {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else {
            throw DeviceOrderProblem("'\(name)' cannot name a device; use letters, digits and blanks.")
        }
        self.name = name
        url = Self.folder.appending(path: name + ".device")
    }

    /// `$XDG_RUNTIME_DIR`, else a folder of this user's below the system's temporary one.
    private static var folder: URL {
        if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
            return URL(filePath: runtime).appending(path: "posthorn")
        }
        return FileManager.default.temporaryDirectory.appending(path: "posthorn-\(NSUserName())")
    }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: Self.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
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
