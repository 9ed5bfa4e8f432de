package import Foundation
package import SystemPort

/// A frame from an app in a process of its own to its device. Documentation/AppsInProcesses.md describes every frame.
package enum AppFrame: Hashable, Sendable, Codable {
    /// The first frame.
    case hello(version: Int)
    /// Answered with ``DeviceFrame/reply(id:_:)``, possibly much later.
    case call(id: Int, SystemCall)
    /// Answered at once with ``DeviceFrame/answer(id:_:)``.
    case read(id: Int, SystemCall)
    /// Reads the device's clock; answered at once with ``DeviceFrame/time(id:_:)``.
    case askTime(id: Int)
    /// Answered with ``DeviceFrame/wake(id:)`` when the device's clock reaches that time, counted from the start of the
    /// port.
    case sleep(id: Int, until: Duration)
    case cancelSleep(id: Int)
    case eventReply(event: Int, EventReply)
    case openLink(link: Int, url: String)
    case sendOnLink(link: Int, text: String)
    case pingLink(link: Int)
    case closeLink(link: Int)
}

/// A frame from a device to an app in a process of its own.
package enum DeviceFrame: Hashable, Sendable, Codable {
    /// The first frame. `seed` is for ``SystemPort/randomNumber()``.
    case start(version: Int, AppFacts, seed: UInt64)
    case facts(AppFacts)
    /// Events are numbered from 1. Answered with ``AppFrame/eventReply(event:_:)``, several times.
    case event(id: Int, SystemEvent)
    case reply(id: Int, SystemReply)
    case answer(id: Int, SystemReply)
    case time(id: Int, ClockReading)
    case wake(id: Int)
    case linkOpened(link: Int)
    case linkReceived(link: Int, text: String)
    case linkClosed(link: Int, reason: String)
}

/// A reading of the device's clock.
package struct ClockReading: Hashable, Sendable, Codable {
    /// The time since the start of the port.
    package var elapsed: Duration
    package var date: Date

    package init(elapsed: Duration, date: Date) {
        self.elapsed = elapsed
        self.date = date
    }
}

/// The protocol of the port.
package enum PortProtocol {
    /// The protocol version, which must match at both ends.
    package static let version = 1
    /// The environment variable with the file descriptor of the app's end of the socket.
    package static let variable = "POSTHORN_PORT"
    /// The file descriptor of a program's end of the port, after those of its output.
    static let descriptor = 3
    /// The maximum size of a frame, in bytes, without its length prefix: a notification with its payload is 4 KB, and
    /// an app has a few hundred.
    package static let frameLimit = 16 << 20
}
