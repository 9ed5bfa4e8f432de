import APNSProvider
import Crypto
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import Peer
import PushModel
import Synchronization

/// Sends many pushes through a server that repeatedly sends GOAWAY with a random last stream id. None may be lost, answered
/// twice or delivered twice.
///
/// `swift run -c release --package-path Benchmarks GoAwayStorm [PUSHES] [EVERY] [SEED]`
@main
struct GoAwayStorm {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let count = numbers.first ?? 1_000_000
        let every = numbers.dropFirst().first ?? 10_000
        let storm = Storm(every: every, seed: UInt64(numbers.dropFirst(2).first ?? 1), count: count)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let peer = try await Peer.start(group: group) { _ in StormConnection(storm) }
        let client = APNSClient(
            credential: .key(
                try APNSSigningKey(
                    p8: P256.Signing.PrivateKey().pemRepresentation,
                    keyID: "STORMKEY01",
                    teamID: "STORMTEAM1"
                )
            ),
            endpoint: APNSEndpoint(host: "localhost", port: peer.port, trust: .file(peer.authority))
        )
        let next = Counter()
        let accepted = Counter()
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<1000 {
                tasks.addTask {
                    while true {
                        let number = next.add()
                        guard number < count else { return }
                        let push = APNSPush(
                            id: PushNumber.id(number),
                            token: DeviceToken(bytes: [1, 2, 3, 4, UInt8(number & 255)]),
                            topic: "com.example.app",
                            payload: Array(#"{"aps":{"alert":"storm"}}"#.utf8)
                        )
                        switch await client.send(push) {
                        case .accepted: accepted.add()
                        case let other: print("\(number): \(other)")
                        }
                    }
                }
            }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        await client.shutdown()
        await peer.stop()
        let result = storm.result
        let answered = accepted.value
        print(
            "sent \(count), accepted \(answered), delivered once \(result.once), more than once \(result.more), "
                + "never \(result.never); \(result.goAways) GOAWAY, \(result.dropped) pushes above their last stream ids; "
                + "\(seconds) s"
        )
        guard answered == count, result.once == count else { exit(1) }
    }
}

/// Counts the pushes that the devices receive.
final class Storm: Sendable {
    struct Result {
        var once = 0
        var more = 0
        var never = 0
        var goAways = 0
        var dropped = 0
    }

    private struct State {
        var deliveries: [UInt8]
        var random: SplitMix
        var goAways = 0
        var dropped = 0
    }

    let every: Int
    private let state: Mutex<State>

    init(every: Int, seed: UInt64, count: Int) {
        self.every = every
        state = Mutex(State(deliveries: Array(repeating: 0, count: count), random: SplitMix(seed: seed)))
    }

    func deliver(_ ids: [String]) {
        state.withLock { state in
            for id in ids {
                guard let number = PushNumber.number(id) else { continue }
                state.deliveries[number] = min(250, state.deliveries[number] + 1)
            }
        }
    }

    /// Returns a number from 0 to `count`.
    func choose(_ count: Int) -> Int {
        state.withLock { state in
            state.goAways += 1
            return Int.random(in: 0...count, using: &state.random)
        }
    }

    func drop(_ count: Int) { state.withLock { $0.dropped += count } }

    var result: Result {
        state.withLock { state in
            Result(
                once: state.deliveries.count { $0 == 1 },
                more: state.deliveries.count { $0 > 1 },
                never: state.deliveries.count { $0 == 0 },
                goAways: state.goAways,
                dropped: state.dropped
            )
        }
    }
}

/// Answers the collected requests after each read; after a number of pushes, it ends the connection midway.
final class StormConnection: Peer.Behaviour {
    private let storm: Storm
    private var count = 0
    private var open: [(id: String, stream: HTTP2StreamID)] = []
    private var isOver = false

    init(_ storm: Storm) { self.storm = storm }

    func received(_ id: String, on stream: HTTP2StreamID, _ connection: Peer.Connection) {
        guard !isOver else { return storm.drop(1) }
        count += 1
        open.append((id, stream))
    }

    func readComplete(_ connection: Peer.Connection) {
        guard !isOver else { return }
        if count >= storm.every, open.count > 1 {
            isOver = true
            let kept = storm.choose(open.count)
            storm.drop(open.count - kept)
            open.removeLast(open.count - kept)
            // If no request is kept, the last stream id is that of the last answered one.
            connection.goAway(open.last?.stream ?? HTTP2StreamID(max(0, lastAnswered)), "Shutdown")
        }
        storm.deliver(open.map(\.id))
        for (_, stream) in open { connection.accept(stream) }
        lastAnswered = open.last.map { Int($0.stream) } ?? lastAnswered
        open = []
    }

    private var lastAnswered = 0
}

/// SplitMix64 (Steele, Lea, Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
