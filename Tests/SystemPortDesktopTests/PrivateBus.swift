import Foundation
import SystemPortDesktop

/// A session bus of the test's own, which starts no services.
final class PrivateBus: Sendable {
    let address: String
    private let process: ProcessIdentifier

    private struct ProcessIdentifier: Sendable { var number: Int32 }

    /// The path of the bus's program; nil if it is not installed.
    static let program = ["/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// - Parameter folder: a folder for the bus's socket and configuration.
    /// - Throws: the reason if the bus does not start.
    init(in folder: URL) throws {
        let configuration = folder.appendingPathComponent("bus.conf")
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder.path)/bus</listen>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
        </busconfig>
        """.write(to: configuration, atomically: true, encoding: .utf8)
        let daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: Self.program ?? "/usr/bin/dbus-daemon")
        daemon.arguments = ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"]
        let output = Pipe()
        daemon.standardOutput = output
        try daemon.run()
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { throw BusProblem("The bus ended before it was ready.") }
            line += piece
        }
        address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        process = ProcessIdentifier(number: daemon.processIdentifier)
    }

    func stop() { kill(process.number, SIGKILL) }

    /// The user's desktop on this bus, with its own folders.
    func environment(in folder: URL) -> DesktopEnvironment {
        DesktopEnvironment([
            "DBUS_SESSION_BUS_ADDRESS": address,
            "XDG_STATE_HOME": folder.appendingPathComponent("state").path,
            "XDG_DATA_HOME": folder.appendingPathComponent("data").path,
            "XDG_DATA_DIRS": folder.appendingPathComponent("shared").path,
            DesktopIdentity.variable: "org.example.Tea",
        ])
    }
}
