import Foundation
import PushModel

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

/// A folder that only this user can read and write, and that no other user has created.
///
/// In a place where everyone may create folders, such as `/tmp`, another user could have created one with the same name, or a
/// link to another folder.
struct OwnFolder {
    let url: URL

    /// Creates the folder if there is none, readable only by its owner; also creates `parent` if needed.
    ///
    /// - Throws: ``DeviceOrderProblem`` if it is not a folder, belongs to another user, or is accessible to others.
    init(_ name: String, in parent: URL) throws(DeviceOrderProblem) {
        url = parent.appending(path: name)
        do {
            try FileManager.default.createDirectory(
                at: parent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DeviceOrderProblem(
                "The folder '\(parent.path(percentEncoded: false))' cannot be made: "
                    + (FileWords.reason(of: error) ?? error.localizedDescription)
            )
        }
        try Self.check(parent.path(percentEncoded: false), isShared: true)
        let path = url.path(percentEncoded: false)
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw DeviceOrderProblem("The folder '\(path)' cannot be made; is the folder around it writable?")
        }
        try Self.check(path, isShared: false)
    }

    /// Checks a folder. If `isShared`, others may read it, and write to it if its sticky bit is set, as in `/tmp`.
    private static func check(_ path: String, isShared: Bool) throws(DeviceOrderProblem) {
        let plain = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        // A link on the path to a shared folder is up to the system; a link in place of our own folder is not allowed.
        let place = isShared ? URL(filePath: plain).resolvingSymlinksInPath().path(percentEncoded: false) : plain
        guard let facts = try? FileManager.default.attributesOfItem(atPath: place),
            let owner = (facts[.ownerAccountID] as? NSNumber)?.uint32Value,
            let mode = (facts[.posixPermissions] as? NSNumber)?.intValue
        else { throw DeviceOrderProblem("The folder '\(path)' cannot be read.") }
        guard facts[.type] as? FileAttributeType == .typeDirectory else {
            throw DeviceOrderProblem("'\(path)' is not a folder, or is a link to one; remove it.")
        }
        guard owner == geteuid() || (isShared && owner == 0) else {
            throw DeviceOrderProblem(
                "The folder '\(path)' is another user's (\(owner)); set XDG_RUNTIME_DIR to a folder of your own."
            )
        }
        let isSticky = mode & 0o1000 != 0
        let isSafe = isShared ? mode & 0o022 == 0 || isSticky : mode & 0o077 == 0
        guard isSafe else {
            throw DeviceOrderProblem(
                "The folder '\(path)' has mode \(String(mode & 0o777, radix: 8)), which lets others in; "
                    + "'chmod 700' keeps them out."
            )
        }
    }
}
