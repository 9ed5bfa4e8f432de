import APNSProvider
import ArgumentParser
import Crypto
import Foundation
import Logging
import PushModel
import Synchronization

struct BenchAPNS: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Sends pushes to an APNs-compatible server on this machine as fast as it accepts them.",
        discussion: """
            Prints `RESULT n=N ok=N seconds=S`: the pushes sent, the pushes answered with 200, and the seconds from the first to \
            the last, without the start. Each push goes to a different token; the payload has 250 bytes. The server's certificate \
            is not checked, and all connections go to 127.0.0.1. Exits with 0 if all pushes were answered with 200.
            """
    )

    @Option(help: "The port on 127.0.0.1.")
    var port: Int

    @Option(help: "Number of pushes.")
    var count = 100_000

    @Option(help: "Open streams per connection; the server's own limit applies too.")
    var streams = 1000

    @Option(help: "Number of connections.")
    var connections = 1

    @Flag(name: .customLong("await"), help: "Send each push by itself, from --streams concurrent tasks.")
    var isAwaited = false

    @Option(help: "The APNs topic.")
    var topic = "com.example.app"

    @OptionGroup var output: BenchOutput

    @Option(help: "A folder written by `posthorn gateway --hand-out`, whose key, topic and tokens are used.")
    var handOut: String?

    func validate() throws {
        for (name, value, range) in [
            ("--port", port, 1...65_535), ("--count", count, 1...100_000_000), ("--streams", streams, 1...1_000_000),
            ("--connections", connections, 1...1000),
        ] where !range.contains(value) {
            throw ValidationError("\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound).")
        }
    }

    func run() async throws {
        let credential = try credential()
        let clients = (0..<connections).map { _ in
            var endpoint = APNSEndpoint(host: "127.0.0.1", port: port)
            endpoint.isVerified = false
            var configuration = APNSClientConfiguration()
            configuration.maxInFlight = streams
            configuration.connections = 1...1
            return APNSClient(
                credential: .key(credential.key),
                endpoint: endpoint,
                configuration: configuration,
                logger: Logger(label: "posthorn.bench") { _ in SwiftLogNoOpLogHandler() }
            )
        }
        let tally = Tally()
        // The connections are open before the clock starts.
        for client in clients {
            await client.send(batch(of: 1, from: count, credential)) { _ in }
        }
        let seconds = await measure(clients, as: credential, tally)
        for client in clients { await client.shutdown() }
        let accepted = tally.total
        let facts: [(String, JSONValue)] = [
            ("n", .number(count)), ("ok", .number(accepted)), ("seconds", .double(seconds)),
        ]
        output.tell(figures: facts)
        if accepted < count { throw ExitCode.failure }
    }

    /// Returns the seconds that it takes to send all pushes.
    private func measure(_ clients: [APNSClient], as credential: Credential, _ tally: Tally) async -> Double {
        let turns = clients.map { _ in Turns() }
        let begun: @Sendable () -> Int = { [count] in min(count, turns.reduce(0) { $0 + $1.taken }) }
        return await ProgressBar.follow(isQuiet: output.json, of: count, done: begun) {
            let start = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for (place, client) in clients.enumerated() {
                    let share = (count + place) / connections
                    group.addTask {
                        await send(share, from: place, with: client, as: credential, turns[place]) { tally.add($0) }
                    }
                }
            }
            return (ContinuousClock.now - start) / .seconds(1)
        }
    }

    private func send(
        _ count: Int,
        from place: Int,
        with client: APNSClient,
        as credential: Credential,
        _ turns: Turns,
        accepted: @escaping @Sendable (Int) -> Void
    ) async {
        if isAwaited {
            await sendSingly(count: count, from: place, with: client, turns, credential, accepted: accepted)
        } else {
            await pump(count: count, from: place, with: client, turns, credential, accepted: accepted)
        }
    }

    /// Keeps two batches in flight: while one is answered, the next is on the wire.
    private func pump(
        count: Int,
        from place: Int,
        with client: APNSClient,
        _ turns: Turns,
        _ credential: Credential,
        accepted: @escaping @Sendable (Int) -> Void
    ) async {
        let size = 8192
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while true {
                let start = turns.next(size)
                guard start < count else { break }
                if running == 2 { await group.next() } else { running += 1 }
                let batch = batch(of: min(size, count - start), from: place << 40 | start, credential)
                group.addTask {
                    await client.send(batch) { results in accepted(results.count { $0.outcome == .accepted }) }
                }
            }
        }
    }

    /// Sends with one `await` per push, on the client's own executor, as a busy server would.
    private func sendSingly(
        count: Int,
        from place: Int,
        with client: APNSClient,
        _ turns: Turns,
        _ credential: Credential,
        accepted: @escaping @Sendable (Int) -> Void
    ) async {
        // Created beforehand: a real sender already has its pushes, and their ids are not part of the measurement either.
        let some = batch(of: min(count, 20_000), from: place << 40, credential)
        let pushes = (0..<some.count).map { some[$0] }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<streams {
                group.addTask(executorPreference: client.executor) {
                    var sum = 0
                    while true {
                        let number = turns.next()
                        guard number < count else { break }
                        if await client.send(pushes[number % pushes.count]) == .accepted { sum += 1 }
                    }
                    accepted(sum)
                }
            }
        }
    }

    private func batch(of count: Int, from start: Int, _ credential: Credential) -> APNSBatch {
        var batch = APNSBatch(topic: credential.topic, priority: 10)
        batch.reserve(count, payloadBytes: Self.payload.count)
        var token = [UInt8](repeating: 0, count: 32)
        for number in start..<start + count {
            if !credential.tokens.isEmpty {
                batch.add(credential.tokens[number % credential.tokens.count], payload: Self.payload)
                continue
            }
            var mixed = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
            for place in 24..<32 {
                token[place] = UInt8(truncatingIfNeeded: mixed >> 56)
                mixed <<= 8
            }
            batch.add(token: token.span, payload: Self.payload.span)
        }
        return batch
    }

    private static let payload: [UInt8] = {
        let head = #"{"aps":{"alert":{"title":"hello","body":""#
        return Array((head + String(repeating: "x", count: 246 - head.utf8.count) + "\"}}}").utf8)
    }()

    private struct Credential: Sendable {
        var key: APNSSigningKey
        var topic: String
        var tokens: [DeviceToken]
    }

    private func credential() throws -> Credential {
        guard let handOut else {
            let key = try APNSSigningKey(
                p8: P256.Signing.PrivateKey().pemRepresentation,
                keyID: "BENCHKEY01",
                teamID: "BENCHTEAM1"
            )
            return Credential(key: key, topic: topic, tokens: [])
        }
        func read(_ name: String) throws -> String {
            do {
                return try String(contentsOfFile: handOut + "/" + name, encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            } catch {
                throw ValidationError(
                    "'\(handOut)/\(name)' cannot be read; expected what `posthorn gateway --hand-out` writes."
                )
            }
        }
        return Credential(
            key: try APNSSigningKey(p8: try read("key.p8"), keyID: try read("keyID"), teamID: try read("teamID")),
            topic: try read("topic"),
            tokens: try read("tokens").split(separator: "\n").compactMap { DeviceToken($0) }
        )
    }
}

private final class Tally: Sendable {
    private let count = Mutex(0)

    var total: Int { count.withLock { $0 } }

    func add(_ more: Int) { count.withLock { $0 += more } }
}

/// Hands out numbers to tasks that share a fixed amount of work.
private final class Turns: Sendable {
    private let given = Atomic(0)

    /// The amount of work that was taken, or more at the end: each task takes some for nothing before it stops.
    var taken: Int { given.load(ordering: .relaxed) }

    /// Returns the first of the next numbers, as many as `count`.
    func next(_ count: Int = 1) -> Int { given.wrappingAdd(count, ordering: .relaxed).oldValue }
}
