import Foundation

/// A store of one file per value, in a folder of its own.
public struct FileStateStore: StateStore {
    private let folder: URL
    /// The place of an earlier version of the app, from which the values are moved.
    private let former: URL?

    /// Creates a store in this folder, which is made at the first write.
    public init(folder: URL) { self.init(folder: folder, former: nil) }

    init(folder: URL, former: URL?) {
        self.folder = folder
        self.former = former
    }

    /// Creates a store in the app's Application Support folder, in `posthorn`.
    ///
    /// - Throws: the system's error if there is no such folder.
    public static func applicationSupport() throws -> Self {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: true
        )
        return Self(folder: place(in: support))
    }

    private static func place(in folder: URL) -> URL { folder.appendingPathComponent("posthorn", isDirectory: true) }

    #if canImport(Darwin)
    /// Creates a store that an app shares with its extensions; nil if the process is not in the group. It takes over what an earlier
    /// version of the app, without the group, has stored in Application Support.
    ///
    /// - Parameter appGroup: such as `group.com.example.app`, in the entitlements of app and extension.
    public init?(appGroup: String) {
        let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
        guard let container else { return nil }
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        self.init(folder: Self.place(in: container), former: support.map(Self.place))
    }
    #endif

    public func data(for key: String) throws -> Data? {
        try takeOver()
        do {
            return try Data(contentsOf: file(key))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    public func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        done(Result { try write(data, for: key) })
    }

    private func write(_ data: Data?, for key: String) throws {
        guard let data else {
            do {
                try FileManager.default.removeItem(at: file(key))
            } catch let error as CocoaError where error.code == .fileNoSuchFile {}
            return
        }
        try makeFolder()
        try data.write(to: file(key), options: Self.options)
    }

    /// Moves the values from the former place. The state comes last: until it is here, the next process begins again.
    private func takeOver() throws {
        guard let former, FileManager.default.fileExists(atPath: former.path) else { return }
        let state = StoredPart.Key.state.rawValue
        let before = Self(folder: former)
        let keys = try before.keys()
        if keys.contains(state), !FileManager.default.fileExists(atPath: file(state).path) {
            for key in keys.filter({ $0 != state }) + [state] { try write(before.data(for: key), for: key) }
        }
        try FileManager.default.removeItem(at: former)
    }

    public func keys() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(Self.suffix) }
            .map { String($0.dropLast(Self.suffix.count)) }.sorted()
    }

    private static let suffix = ".json"

    private func file(_ key: String) -> URL { folder.appendingPathComponent(key + Self.suffix) }

    /// Atomic, and readable by an extension that runs while the phone is locked.
    private static var options: Data.WritingOptions {
        #if os(iOS) || os(watchOS) || os(tvOS)
        [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        .atomic
        #endif
    }

    private func makeFolder() throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else { return }
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        #if canImport(Darwin)
        // Two phones that are restored from one backup must not share an identity.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var folder = folder
        try folder.setResourceValues(values)
        #endif
    }
}
