import DeviceLink
import Synchronization
import Testing

/// Writes down what a link says.
private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func add(_ event: LinkEvent) {
        lines.withLock { lines in
            switch event {
            case .opened: lines.append("opened")
            case .received(let text): lines.append(text)
            case .closed(let reason): lines.append("closed: \(reason)")
            }
        }
    }
}

/// Says `welcome` at once, then gives back what it hears.
private struct Echo: LinkAcceptor {
    let notes: Notes

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        connection.send("welcome")
        return { event in
            notes.add(event)
            if case .received(let text) = event { connection.send(text) }
        }
    }
}

@Suite("Links inside the process")
struct ClientLoopbackTests {
    private let dialer = LoopbackDialer()
    private let client = Notes()
    private let server = Notes()

    @Test("Frames arrive in order, and the end is told to both ends once")
    func talks() {
        dialer.serve("ws://echo", Echo(notes: server))
        let link = dialer.open("ws://echo") { [client] in client.add($0) }
        #expect(client.all == ["opened", "welcome"])
        link.send("a")
        link.send("b")
        link.close()
        link.close()
        link.send("c")
        #expect(client.all == ["opened", "welcome", "a", "b", "closed: the link was closed"])
        #expect(server.all == ["a", "b", "closed: the link was closed"])
    }

    @Test("A link to nobody closes and says why")
    func nobody() {
        _ = dialer.open("ws://echo") { [client] in client.add($0) }
        #expect(client.all == ["closed: nobody answers at ws://echo"])
    }
}
