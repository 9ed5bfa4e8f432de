import Foundation

/// Whether others than its owner can read what only the service may.
package enum Readership {
    /// What is wrong with the mode of a file or a folder, in a sentence that says how to mend it; nil for what only its owner, or
    /// the owner and their group, can open.
    ///
    /// * `group`: whether the group may read it too, as the keys of certificates are often kept for several services.
    package static func problem(of path: String, group: Bool = false) -> String? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
        else { return nil }
        let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
        guard mode & (group ? 0o007 : 0o077) != 0 else { return nil }
        let wanted = isFolder ? "700" : group ? "640" : "600"
        return "'\(path)' has mode \(String(mode & 0o777, radix: 8)), which lets others than its owner at it; "
            + "'chmod \(wanted)' keeps them out."
    }
}
