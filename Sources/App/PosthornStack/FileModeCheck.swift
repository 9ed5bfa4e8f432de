import Foundation
package import PushService

/// Checks that only the service's user can read its files.
package enum FileModeCheck {
    /// Returns a remark that says what is wrong with the mode of a file or folder and how to fix it; nil if only its owner, or
    /// its owner and group, can open it.
    ///
    /// With `group`, the group may read it too, because certificate keys are often shared by several services.
    package static func problem(of path: String, group: Bool = false) -> Remark? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
        else { return nil }
        let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
        guard mode & (group ? 0o007 : 0o077) != 0 else { return nil }
        let wanted = isFolder ? "700" : group ? "640" : "600"
        let values = ["path": path, "mode": String(mode & 0o777, radix: 8), "wanted": wanted]
        return Remark(.fileReadable, values)
    }
}
