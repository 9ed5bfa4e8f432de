import Foundation
import PosthornTesting
import PushDevice
import SystemPort
import SystemPortSocket
import TestSupport

/// An app that is a shell script: it says what was laid down for it, reads nothing, and answers no event.
final class ScriptedApp: Sendable {
    let app = InstalledApp(bundleID: "com.example.script")
    private let folder = TemporaryFolder()

    /// - Parameters:
    ///   - frames: said after `hello`.
    ///   - missing: so many bytes of the last frame are not said.
    ///   - end: what the script does then, in the shell's language.
    /// - Throws: when the files cannot be written.
    init(_ frames: [AppFrame], missing: Int = 0, then end: String = "exec sleep 600") throws {
        var bytes = try FrameCoding.encode(AppFrame.hello(version: PortProtocol.version))
        for frame in frames { bytes += try FrameCoding.encode(frame) }
        let said = try folder.file("frames", Data(bytes.dropLast(missing)))
        let script = "#!/bin/sh\ncat '\(said.path(percentEncoded: false))' >&3\n\(end)\n"
        try Data(script.utf8).write(to: executable)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    private var executable: URL { folder.url.appending(path: "script") }
    private var path: String { executable.path(percentEncoded: false) }

    func install(on device: PushDevice.Device, output: @escaping @Sendable (String) -> Void = { _ in }) {
        device.install(ProgramApp(app, executable: executable), output: output)
    }
}
