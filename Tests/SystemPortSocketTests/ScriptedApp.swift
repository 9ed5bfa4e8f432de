import Foundation
import PosthornTesting
import PushDevice
import SystemPort
import SystemPortSocket

/// An app that is a shell script: it says what was laid down for it, reads nothing, and answers no event.
final class ScriptedApp: Sendable {
    let app = InstalledApp(bundleID: "com.example.script")
    private let folder: URL

    /// - Parameters:
    ///   - frames: said after `hello`.
    ///   - missing: so many bytes of the last frame are not said.
    ///   - end: what the script does then, in the shell's language.
    /// - Throws: when the files cannot be written.
    init(_ frames: [AppFrame], missing: Int = 0, then end: String = "exec sleep 600") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-script-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var bytes = try FrameCoding.encode(AppFrame.hello(version: PortProtocol.version))
        for frame in frames { bytes += try FrameCoding.encode(frame) }
        let said = folder.appending(path: "frames")
        try Data(bytes.dropLast(missing)).write(to: said)
        let script = "#!/bin/sh\ncat '\(said.path(percentEncoded: false))' >&3\n\(end)\n"
        try Data(script.utf8).write(to: executable)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var executable: URL { folder.appending(path: "script") }
    private var path: String { executable.path(percentEncoded: false) }

    func install(on device: PushDevice.Device, output: @escaping @Sendable (String) -> Void = { _ in }) {
        device.install(ProgramApp(app, executable: executable), output: output)
    }
}
