import DeviceLink
import Foundation
import JPush
import PosthornStack
import PosthornTesting
import PushDevice
import PushModel
import PushService
import Synchronization
import UIKit

/// The road between an SDK and its service, which is cut before a certain frame: then both ends are killed.
final class CutWire: LinkAcceptor {
    private struct State {
        var frames = 0
        var acknowledgements = 0
        var isCut = false
        var isOver = false
    }

    private let service: any LinkAcceptor
    private let limit: Int
    private let cut: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - service: at the other end.
    ///   - limit: the number of the first frame that does not pass, counted from 1.
    ///   - cut: called once, before anything else passes.
    init(to service: any LinkAcceptor, before limit: Int, cut: @escaping @Sendable () -> Void) {
        self.service = service
        self.limit = limit
        self.cut = cut
    }

    /// Whether it is cut and all that belongs to the cut is done.
    var isOver: Bool { state.withLock(\.isOver) }
    private var isCut: Bool { state.withLock(\.isCut) }
    /// The acknowledgements that the service has heard.
    var acknowledgements: Int { state.withLock(\.acknowledgements) }

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let hear = service.accept(End(connection: connection, wire: self))
        return { [self] event in
            if case .received = event, !passes() { return }
            // A dead service hears nothing.
            guard !isCut else { return }
            hear(event)
            if case .received(let text) = event, case .acknowledge = try? SDKFrame(text: text) {
                state.withLock { $0.acknowledgements += 1 }
            }
        }
    }

    private func passes() -> Bool {
        let (passes, isCutNow) = state.withLock { state -> (Bool, Bool) in
            guard !state.isCut else { return (false, false) }
            state.frames += 1
            state.isCut = state.frames == limit
            return (!state.isCut, state.isCut)
        }
        if isCutNow {
            cut()
            state.withLock { $0.isOver = true }
        }
        return passes
    }

    /// The service's end of a link.
    private final class End: LinkConnection {
        let connection: any LinkConnection
        let wire: CutWire

        init(connection: any LinkConnection, wire: CutWire) {
            self.connection = connection
            self.wire = wire
        }

        func send(_ text: String) { if wire.passes() { connection.send(text) } }
        func close() { if !wire.isCut { connection.close() } }
    }
}

/// The deeds of an app and the events that it heard, over all its processes.
final class AppLives: Sendable {
    private struct State {
        var life = 0
        var heard: [String] = []
    }

    /// Tells its messages from those of others: notifications are those of all apps of the process.
    let name = UUID().uuidString
    let appKey: String
    private let state = Mutex(State())

    init(appKey: String) { self.appKey = appKey }

    var heard: [String] { state.withLock(\.heard) }

    /// - Returns: the number of the process that begins.
    func begin() -> Int {
        state.withLock { state in
            state.life += 1
            return state.life
        }
    }

    func hear(_ text: String, in life: Int) {
        state.withLock { state in
            if life == state.life, text.hasPrefix(name) { state.heard.append(String(text.dropFirst(name.count))) }
        }
    }
}

/// An app that gives itself names once, before it is registered, and hears custom messages.
final class NamingApp: UIResponder, UIApplicationDelegate {
    private let lives: AppLives
    private var observer: (any NSObjectProtocol)?

    init(_ lives: AppLives) {
        self.lives = lives
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let lives = lives
        let life = lives.begin()
        observer = NotificationCenter.default.addObserver(
            forName: .jpfNetworkDidReceiveMessage,
            object: nil,
            queue: nil
        ) { lives.hear($0.userInfo?["content"] as? String ?? "", in: life) }
        if life == 1 {
            JPUSHService.addTags(["a", "b"], completion: nil, seq: 1)
            JPUSHService.setAlias("tom", completion: nil, seq: 2)
            JPUSHService.setBadge(7)
            JPUSHService.setMobileNumber("+86-130", completion: nil)
        }
        JPUSHService.setup(withOption: launchOptions, appKey: lives.appKey, channel: nil, apsForProduction: false)
        return true
    }
}
