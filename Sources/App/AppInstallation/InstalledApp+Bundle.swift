public import Foundation
public import PushDevice

// Source: Apple, "UNNotificationSound" (sound files of the main bundle) and "Localizing the content of your remote notifications"
// (`Localizable.strings` of the app).

extension InstalledApp {
    private static let soundExtensions: Set<String> = ["aif", "aiff", "aifc", "wav", "caf"]

    /// Reads the sounds and the strings of an app's bundle: sound files in the folder itself, and `Localizable.strings` in its `.lproj`
    /// folders. Strings in `Base.lproj` belong to the development language.
    ///
    /// - Parameter folder: the app's bundle, or the folder of resources that SwiftPM makes for a target (`Bundle.module.bundleURL`).
    /// - Throws: `ProgramProblem` if the folder or one of its strings files cannot be read.
    public mutating func readBundle(_ folder: URL) throws(ProgramProblem) {
        let path = folder.path(percentEncoded: false)
        guard let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        else {
            throw ProgramProblem("'\(path)' is not a folder; expected an app's bundle, or its folder of resources.")
        }
        var found: [String: Duration] = sounds ?? [:]
        for file in files.sorted(by: { $0.path < $1.path }) {
            if Self.soundExtensions.contains(file.pathExtension.lowercased()) {
                // A file of unknown length is taken for a short one.
                found[file.lastPathComponent] = SoundLength.read(file) ?? .zero
            } else if file.pathExtension == "lproj" {
                try readStrings(in: file)
            }
        }
        sounds = found
    }

    private mutating func readStrings(in folder: URL) throws(ProgramProblem) {
        let file = folder.appending(path: "Localizable.strings")
        guard let data = try? Data(contentsOf: file) else { return }
        guard let texts = try? PropertyListDecoder().decode([String: String].self, from: data) else {
            throw ProgramProblem(
                """
                '\(file.path(percentEncoded: false))' cannot be read; expected lines such as "KEY" = "text"; (UTF-8 or UTF-16), \
                or a property list with texts.
                """
            )
        }
        let name = folder.deletingPathExtension().lastPathComponent
        let language = name == "Base" ? developmentLanguage : name
        strings[language, default: [:]].merge(texts) { $1 }
    }
}
