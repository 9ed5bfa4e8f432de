import Foundation

/// The sound files of apps: beside the program, as in an app's bundle, and in the user's `Library/Sounds`.
package enum AppSounds {
    /// - Parameters:
    ///   - name: the name of a sound, with its extension.
    ///   - program: the path of the app's executable; empty if it is not known.
    /// - Returns: the path of the file; nil if there is none.
    package static func path(of name: String, program: String) -> String? {
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let beside = URL(fileURLWithPath: program).deletingLastPathComponent()
        let folders =
            (program.isEmpty ? [] : [beside, beside.appendingPathComponent("Sounds")])
            + [URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/Sounds")]
        return folders.map { $0.appendingPathComponent(name).path }.first { FileManager.default.fileExists(atPath: $0) }
    }
}
