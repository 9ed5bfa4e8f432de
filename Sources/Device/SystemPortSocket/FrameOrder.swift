import SystemPort

/// Checks the order of an app's frames, from the device's point of view.
package struct AppFrameOrder: Sendable {
    package private(set) var isGreeted = false
    private var lastEvent = 0
    private var lastLink = 0

    package init() {}

    /// Returns the number of the event to send next.
    package mutating func nextEvent() -> Int {
        lastEvent += 1
        return lastEvent
    }

    /// - Throws: for an unexpected frame, with what was found and what was expected.
    package mutating func check(_ frame: AppFrame) throws(PortProblem) {
        if case .hello(let version) = frame {
            guard !isGreeted else { throw PortProblem("The app says hello a second time.") }
            try PortProtocol.check(version, of: "app")
            isGreeted = true
            return
        }
        guard isGreeted else { throw PortProblem("The app's first frame is \(frame); expected 'hello'.") }
        switch frame {
        case .eventReply(let event, _):
            guard event > 0, event <= lastEvent else {
                throw PortProblem("The app answers event \(event); the last that was sent is \(lastEvent).")
            }
        case .openLink(let link, _):
            guard link == lastLink + 1 else {
                throw PortProblem("The app opens link \(link); expected \(lastLink + 1).")
            }
            lastLink = link
        case .sendOnLink(let link, _), .pingLink(let link), .closeLink(let link):
            guard link > 0, link <= lastLink else {
                throw PortProblem("The app uses link \(link); the last that it opened is \(lastLink).")
            }
        case .hello, .call, .read, .askTime, .sleep, .cancelSleep: break
        }
    }
}

/// Checks the order of a device's frames, from the app's point of view.
package struct DeviceFrameOrder: Sendable {
    private var isStarted = false
    private var lastEvent = 0

    package init() {}

    /// - Throws: for an unexpected frame, with what was found and what was expected.
    package mutating func check(_ frame: DeviceFrame) throws(PortProblem) {
        if case .start(let version, _, _) = frame {
            guard !isStarted else { throw PortProblem("The device starts the app a second time.") }
            try PortProtocol.check(version, of: "device")
            isStarted = true
            return
        }
        guard isStarted else { throw PortProblem("The device's first frame is \(frame); expected 'start'.") }
        guard case .event(let id, _) = frame else { return }
        guard id == lastEvent + 1 else { throw PortProblem("The device sends event \(id); expected \(lastEvent + 1).") }
        lastEvent = id
    }
}

extension PortProtocol {
    fileprivate static func check(_ version: Int, of end: String) throws(PortProblem) {
        guard version == Self.version else {
            throw PortProblem(
                "The \(end) speaks version \(version) of the port; expected \(Self.version): build both from one Posthorn."
            )
        }
    }
}
