import Synchronization
import SystemPortDesktop

/// A notification server that shows nothing, remembers what it was told, and does what a test says.
final class ScriptedServer: Sendable {
    struct Shown: Sendable {
        var id: UInt32
        var replaced: UInt32
        var summary: String
        var body: String
        var actions: [String]
        var hints: [String: BusValue]
    }

    private struct State {
        var last: UInt32 = 0
        var shown: [Shown] = []
        var closed: [UInt32] = []
        var badges: [BusValue] = []
    }

    private final class Book: Sendable {
        let state = Mutex(State())
    }

    private let book: Book
    private let bus: BusConnection

    var shown: [Shown] { book.state.withLock(\.shown) }
    var closed: [UInt32] { book.state.withLock(\.closed) }
    /// The arguments of the signals to launchers.
    var badges: [BusValue] { book.state.withLock(\.badges) }

    /// - Parameters:
    ///   - address: the bus.
    ///   - capabilities: the capabilities that it reports.
    ///   - replacing: whether it takes the place of a server that lets itself be replaced.
    /// - Throws: the reason if the bus cannot be reached, or has another server.
    init(
        on address: String,
        capabilities: [String] = ["actions", "body", "inline-reply", "sound"],
        replacing: Bool = false
    ) throws {
        let book = Book()
        bus = try BusConnection(address, matches: ["type='signal',interface='com.canonical.Unity.LauncherEntry'"]) {
            event in
            if case .signal(let signal) = event, signal.member == "Update" {
                book.state.withLock { $0.badges += signal.arguments }
            }
            guard case .call(let call) = event else { return nil }
            switch call.member {
            case "GetServerInformation":
                return .success([.string("scripted"), .string("posthorn"), .string("1"), .string("1.2")])
            case "GetCapabilities": return .success([.strings(capabilities)])
            case "Notify": return .success([.uint32(Self.note(call, in: book))])
            case "CloseNotification":
                book.state.withLock { $0.closed += call.number(0).map { [$0] } ?? [] }
                return .success([])
            default: return nil
            }
        }
        self.book = book
        if replacing {
            let replaceExisting: UInt32 = 2
            _ = try bus.ask(.bus("RequestName", [.string(NotificationServer.busName), .uint32(replaceExisting)]))
        } else {
            try bus.own(NotificationServer.busName)
        }
    }

    private static func note(_ call: BusMessage, in book: Book) -> UInt32 {
        book.state.withLock { state in
            let replaced = call.number(1) ?? 0
            if replaced == 0 { state.last += 1 }
            var hints: [String: BusValue] = [:]
            if case .options(let options) = call.arguments[6] { hints = options }
            let shown = Shown(
                id: replaced == 0 ? state.last : replaced,
                replaced: replaced,
                summary: call.text(3) ?? "",
                body: call.text(4) ?? "",
                actions: call.arguments[5].list ?? [],
                hints: hints
            )
            state.shown.append(shown)
            return shown.id
        }
    }

    /// The user clicks, with the order of signals of common servers.
    func act(_ key: String, on id: UInt32) {
        emit("ActivationToken", [.uint32(id), .string("token")])
        emit("ActionInvoked", [.uint32(id), .string(key)])
        emit("NotificationClosed", [.uint32(id), .uint32(2)])
    }

    func reply(_ text: String, to id: UInt32) { emit("NotificationReplied", [.uint32(id), .string(text)]) }

    func emit(_ name: String, _ arguments: [BusValue]) {
        let own = NotificationServer.busName
        bus.emit(BusMessage(name, of: own, at: NotificationServer.path, arguments))
    }

    func stop() { bus.close() }
}
