package import Foundation
package import SystemPort

/// What an app in a process of its own says to its device. Documentation/AppsInProcesses.md has every frame.
package enum AppFrame: Hashable, Sendable, Codable {
    /// The first frame.
    case hello(version: Int)
    /// Answered with ``DeviceFrame/reply(id:_:)``, maybe much later.
    case call(id: Int, SystemCall)
    /// Answered at once: with ``DeviceFrame/answer(id:_:)``.
    case read(id: Int, SystemCall)
    /// What the device's clock shows; answered at once with ``DeviceFrame/time(id:_:)``.
    case askTime(id: Int)
    /// Answered with ``DeviceFrame/wake(id:)`` when the device's clock has come there, counted from the start of the port.
    case sleep(id: Int, until: Duration)
    case cancelSleep(id: Int)
    case eventReply(event: Int, EventReply)
    case openLink(link: Int, url: String)
    case sendOnLink(link: Int, text: String)
    case pingLink(link: Int)
    case closeLink(link: Int)
}

/// What a device says to an app in a process of its own.
package enum DeviceFrame: Hashable, Sendable, Codable {
    /// The first frame. `seed` is for ``SystemPort/randomNumber()``.
    case start(version: Int, AppFacts, seed: UInt64)
    case facts(AppFacts)
    /// Events are numbered from 1 on. Answered with ``AppFrame/eventReply(event:_:)``, several times.
    case event(id: Int, SystemEvent)
    case reply(id: Int, SystemReply)
    case answer(id: Int, SystemReply)
    case time(id: Int, ClockReading)
    case wake(id: Int)
    case linkOpened(link: Int)
    case linkReceived(link: Int, text: String)
    case linkClosed(link: Int, reason: String)
}

/// What the device's clock shows.
package struct ClockReading: Hashable, Sendable, Codable {
    /// Since the start of the port.
    package var elapsed: Duration
    package var date: Date

    package init(elapsed: Duration, date: Date) {
        self.elapsed = elapsed
        self.date = date
    }
}

/// The protocol of the port.
package enum PortProtocol {
    /// Both ends must speak the same.
    package static let version = 1
    /// In the app's environment: the number of the open file that is its end of the socket.
    package static let variable = "POSTHORN_PORT"
    /// The longest frame, in bytes, without its length: a notification and its payload have 4 KB, and an app has few hundred.
    package static let frameLimit = 16 << 20
}
