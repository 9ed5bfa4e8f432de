import Foundation

/// The values that an app has stored on a device, and the identifier that it knows the device by.
struct AppData: Hashable, Sendable, Codable {
    var vendorID: String
    var storage: [String: String]
}

/// A folder with a file for each app's ``AppData``, which outlives the device's process.
struct AppDataStore: Sendable {
    let folder: URL

    /// Returns what the app has stored; nil if there is nothing, or the file cannot be read.
    func load(_ bundleID: String) -> AppData? {
        guard let file = file(bundleID), let data = try? Data(contentsOf: file) else { return nil }
        return try? JSONDecoder().decode(AppData.self, from: data)
    }

    /// Writes a new file and renames it, so that a process that is killed leaves the old one or the new one.
    func save(_ data: AppData, of bundleID: String) {
        guard let file = file(bundleID), let bytes = try? JSONEncoder().encode(data) else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? bytes.write(to: file, options: .atomic)
    }

    func remove(_ bundleID: String) {
        guard let file = file(bundleID) else { return }
        try? FileManager.default.removeItem(at: file)
    }

    /// A bundle id has letters, digits, hyphens and periods; any other is not written.
    private func file(_ bundleID: String) -> URL? {
        let isName = bundleID.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        guard isName, !bundleID.hasPrefix("."), !bundleID.isEmpty else { return nil }
        return folder.appending(path: bundleID + ".json")
    }
}
