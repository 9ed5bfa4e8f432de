import Foundation
import NetworkSupport
package import PushAPI
package import PushService

/// The machine of a service, for `posthorn doctor`.
package struct ServiceMachine: MachineInspector {
    package let storeInspector: (any StoreInspector)?
    private let folder: String
    private let settings: PushAPI.Settings?
    private let keyFile: String?
    private let limits: MachineFacts.Limits?
    private let checks: [ProxyCheck]

    /// - Parameters:
    ///   - folder: the path of the data folder.
    ///   - storeInspector: looks at the store.
    ///   - settings: the settings of the service that runs on it; nil if none does.
    ///   - keyFile: the path of the key of its certificate; nil if it has none.
    ///   - limits: the open files of the service, and the connections that its settings ask for.
    ///   - proxies: the proxies of the service.
    package init(
        folder: String,
        storeInspector: (any StoreInspector)? = nil,
        settings: PushAPI.Settings? = nil,
        keyFile: String? = nil,
        limits: MachineFacts.Limits? = nil,
        proxies: [ProxyCheck] = []
    ) {
        self.folder = folder
        self.storeInspector = storeInspector
        self.settings = settings
        self.keyFile = keyFile
        self.limits = limits
        checks = proxies
    }

    package func facts() -> MachineFacts {
        MachineFacts(
            freeBytes: freeBytes,
            limits: limits,
            readable: Self.readable(in: folder, keyFile: keyFile),
            encryption: settings.map { settings in
                if let tls = settings.tls { return .certificate(notAfter: tls.notAfter) }
                return settings.isOpenToReaders ? .none(host: settings.host) : .local
            }
        )
    }

    package func proxies() async -> [ProxyFacts] {
        var facts: [ProxyFacts] = []
        for check in checks { await facts.append(check.facts()) }
        return facts
    }

    /// Returns remarks about the folder's secrets, and the key of the certificate, that others than the owner can read.
    package static func readable(in folder: String, keyFile: String? = nil) -> [Remark] {
        let own = [folder] + ["secret.key", "posthorn.sqlite"].map { DataFolder.path(of: $0, in: folder) }
        let key = keyFile.flatMap { FileModeCheck.problem(of: $0, group: true) }
        return own.compactMap { FileModeCheck.problem(of: $0) } + [key].compactMap(\.self)
    }

    /// The space that a user's process may still fill.
    package var freeBytes: Int64? {
        var facts = statvfs()
        guard unsafe statvfs(folder, &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }
}

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
        let wanted =
            switch (isFolder, group) {
            case (true, _): "700"
            case (false, true): "640"
            case (false, false): "600"
            }
        let values = ["path": path, "mode": String(mode & 0o777, radix: 8), "wanted": wanted]
        return Remark(.fileReadable, values)
    }
}
