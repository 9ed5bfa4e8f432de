// JPush's own header imports Foundation; sources rely on it.
@_exported public import Foundation
// An app that imports this module has the class for its service extension, too.
@_exported public import JPushExtension
import PosthornClient
import PushClock
import PushModel
import Synchronization
import SystemPort
import UserNotifications

/// The system around the SDK: an emulated phone.
final class Surroundings: Sendable {
    /// The address of the service, in place of the Info.plist's.
    static var service: URL? {
        get { PortService.current.address.withLock(\.self) }
        set { PortService.current.address.withLock { $0 = newValue } }
    }

    let port: PortReference
    let inApp = EffectQueue(InAppState())
    private let hasBegun = Mutex(false)

    init(_ port: any SystemPort) { self.port = PortReference(port) }

    /// Runs the body, once.
    func begin(_ body: () -> Void) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { body() }
    }

    func configuration() throws -> PosthornConfiguration {
        let service = port.port.flatMap { PortService.of($0).address.withLock(\.self) }
        return try .emulated(on: port, service: service)
    }

    /// The environment of the build.
    var environment: PushEnvironment? {
        port.port.map { $0.facts.environment == .production ? .production : .development }
    }

    var date: Date { port.date }
    /// The time for limits.
    var seconds: TimeInterval { date.timeIntervalSinceReferenceDate }
    var isMainThread: Bool { MainThread.isCurrent }

    func onMain(_ body: @escaping @Sendable () -> Void) { port.onMain(body) }

    func write(_ line: String) { FileHandle.standardError.write(Data("JPush: \(line)\n".utf8)) }

    func registerForRemoteNotifications() { port.port?.call(.registerForRemoteNotifications) }

    /// Whether the user has opened the notification of this message, whoever is the centre's delegate.
    func isOpened(_ messageID: Int64) -> Bool {
        guard let port = port.port else { return false }
        return ActedOn.of(port).responses.contains { response in
            response.actionIdentifier != ResponseRecord.dismissAction
                && response.notification.content.userInfo.messageID == messageID
        }
    }
}

/// The address that the app behind a port has set.
private final class PortService: PortSlot {
    let address = Mutex<URL?>(nil)

    init() {}
}

extension JSONObject {
    /// The `_j_msgid` of a payload: a number from the service, a string in what apps keep.
    var messageID: Int64? { self["_j_msgid"]?.integer ?? self["_j_msgid"]?.string.flatMap { Int64($0) } }
}
