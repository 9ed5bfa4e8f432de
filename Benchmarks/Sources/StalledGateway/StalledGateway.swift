import APNSProvider
import Crypto
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import Peer
import PushModel
import Synchronization

/// Measures the memory of the process, and the fate of many pushes that wait upstream, while the server stalls for a minute.
///
/// `swift run -c release --package-path Benchmarks StalledGateway [PUSHES] [SECONDS]`
@main
struct StalledGateway {
    /// The allowed growth of memory during the stall, in MiB: less than 2 % of the size of the waiting pushes.
    private static let allowedGrowth = 8

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let count = numbers.first ?? 1_000_000
        let seconds = numbers.dropFirst().first ?? 60
        let gate = Gate(count: count)
        let peer = try await Peer.start(group: MultiThreadedEventLoopGroup(numberOfThreads: 1)) { channel in
            GatedConnection(gate, channel)
        }
        var configuration = APNSClientConfiguration()
        configuration.connections = 1...2
        let client = APNSClient(
            credential: .key(
                try APNSSigningKey(
                    p8: P256.Signing.PrivateKey().pemRepresentation,
                    keyID: "STALLKEY01",
                    teamID: "STALLTEAM1"
                )
            ),
            endpoint: APNSEndpoint(host: "localhost", port: peer.port, trust: .file(peer.authority)),
            configuration: configuration
        )
        let made = Counter()
        let accepted = Counter()
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { tasks in
            // Upstream pushes are created when there is a task for them, as from a queue, a file or a table of the service.
            for _ in 0..<2000 {
                tasks.addTask {
                    while true {
                        let number = made.add()
                        guard number < count else { return }
                        let outcome = await client.send(push(number))
                        if outcome == .accepted {
                            accepted.add()
                        } else {
                            print("\(number): \(outcome)")
                        }
                    }
                }
            }
            while accepted.value < count / 10 { try? await Task.sleep(for: .milliseconds(10)) }
            gate.isShut = true
            try? await Task.sleep(for: .seconds(1))
            let (before, madeBefore) = (residentBytes(), made.value)
            var most = before
            for _ in 0..<max(1, seconds - 1) {
                try? await Task.sleep(for: .seconds(1))
                most = max(most, residentBytes())
            }
            let status = client.status
            print(
                "stalled for \(seconds) s: \(before >> 20) MiB before, \(most >> 20) MiB at most; "
                    + "\(made.value - madeBefore) pushes made meanwhile, "
                    + "\(status.inFlight) on their way, \(status.waiting) in line"
            )
            if most - before > allowedGrowth << 20 { exit(1) }
            gate.isShut = false
        }
        let took = (ContinuousClock.now - start) / .seconds(1)
        await client.shutdown()
        await peer.stop()
        let answered = accepted.value
        let (delivered, again) = gate.result
        print(
            "sent \(count), accepted \(answered), delivered \(delivered), \(again) of them once more under their apns-id; "
                + "\(took) s, \(residentBytes() >> 20) MiB in the end"
        )
        guard answered == count, delivered == count else { exit(1) }
    }

    private static func push(_ number: Int) -> APNSPush {
        APNSPush(
            id: PushNumber.id(number),
            token: DeviceToken(bytes: [1, 2, 3, 4, UInt8(number & 255)]),
            topic: "com.example.app",
            payload: Array(repeating: UInt8(ascii: " "), count: 1000)
        )
    }
}

/// The gate through which the server reads.
final class Gate: Sendable {
    private struct State {
        var seen: [UInt8]
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isShut = false
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(seen: Array(repeating: 0, count: count))) }

    var isShut: Bool {
        get { state.withLock(\.isShut) }
        set {
            let channels = state.withLock { state in
                state.isShut = newValue
                return Array(state.channels.values)
            }
            for channel in channels { channel.setOption(.autoRead, value: !newValue).whenComplete { _ in } }
        }
    }

    func add(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        let isShut = state.withLock { state in
            state.channels[key] = channel
            return state.isShut
        }
        if isShut { channel.setOption(.autoRead, value: false).whenComplete { _ in } }
        channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.channels.removeValue(forKey: key) } }
    }

    func see(_ id: String) {
        guard let number = PushNumber.number(id) else { return }
        state.withLock { $0.seen[number] = min(250, $0.seen[number] + 1) }
    }

    /// Counts the pushes that arrived, and those that arrived more than once.
    var result: (delivered: Int, again: Int) {
        state.withLock { ($0.seen.count { $0 > 0 }, $0.seen.count { $0 > 1 }) }
    }
}

final class GatedConnection: Peer.Behaviour {
    private let gate: Gate

    init(_ gate: Gate, _ channel: any Channel) {
        self.gate = gate
        gate.add(channel)
    }

    func received(_ id: String, on stream: HTTP2StreamID, _ connection: Peer.Connection) {
        gate.see(id)
        connection.accept(stream)
    }

    func readComplete(_ connection: Peer.Connection) {}
}
