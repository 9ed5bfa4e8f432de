import Foundation
import PosthornClient
import PushClock
import Synchronization
import SystemPort

/// The process of a service extension on an emulated phone.
final class ExtensionProcess: Sendable {
    private struct Members {
        var appKey = ""
        var isQuiet = false
    }

    private let port: PortReference
    private let members = Mutex(Members())

    private init(_ port: any SystemPort) { self.port = PortReference(port) }

    static var current: ExtensionProcess {
        let port = CurrentPort.find()
        return port.slots.slot { ExtensionProcess(port) }
    }

    /// The app's key.
    var appKey: String {
        get { members.withLock(\.appKey) }
        set { members.withLock { $0.appKey = newValue } }
    }

    /// Whether only errors are logged.
    var isQuiet: Bool {
        get { members.withLock(\.isQuiet) }
        set { members.withLock { $0.isQuiet = newValue } }
    }

    var date: Date { port.date }

    func call(_ done: MainCall) { port.onMain { done.body?() } }

    func log(_ text: String, isError: Bool) {
        if isError || !isQuiet { FileHandle.standardError.write(Data("JPush: \(text)\n".utf8)) }
    }

    /// The settings of the app's client: an extension has the app's store.
    func configuration() throws -> PosthornConfiguration? { try .emulated(on: port, appKey: appKey) }
}
