import NetworkSupport
import TestSupport
import Testing

@testable import APNSTransport

/// A client's machine and a server's, each fed with what the other says.
@Suite("Client against server", .suiteLimit)
struct PairTests {
    /// Moves octets in pieces of random size, in random order, until both are silent.
    private final class Wire {
        let client: Bench
        let server: Bench
        private var toServer: [UInt8] = []
        private var toClient: [UInt8] = []
        var chance: SeededChance

        init(_ seed: UInt64, client limits: HTTP2Limits, server serverLimits: HTTP2Limits) throws {
            client = try Bench(.client, limits: limits, greeted: false)
            server = try Bench(.server, limits: serverLimits, greeted: false)
            chance = SeededChance(seed)
        }

        /// Returns whether anything moved.
        func move() throws -> Bool {
            toServer += client.takeBytes()
            toClient += server.takeBytes()
            guard !toServer.isEmpty || !toClient.isEmpty else { return false }
            if Bool.random(using: &chance) {
                try deliver(&toServer, to: server)
            } else {
                try deliver(&toClient, to: client)
            }
            return true
        }

        private func deliver(_ bytes: inout [UInt8], to bench: Bench) throws {
            guard !bytes.isEmpty else { return }
            let most = [1, 10, 100, 5000, 100_000].randomElement(using: &chance) ?? 1
            let count = Int.random(in: 1...min(most, bytes.count), using: &chance)
            let piece = Array(bytes[..<count])
            bytes.removeFirst(count)
            try bench.feed(piece)
        }
    }

    private struct Request {
        var fields: [(String, String)]
        var head: Int
        var path: String
        var body: [UInt8]
    }

    @Test("Every request is answered exactly once, with what it said", arguments: 1...16 as ClosedRange<UInt64>)
    func echo(_ seed: UInt64) throws {
        var limits = HTTP2Limits()
        limits.streamWindowBytes = 65_535
        limits.connectionWindowBytes = 70_000
        limits.maxConcurrentStreams = Int(1 + seed * 3)
        limits.bodyBytes = 40_000
        // The pace of this test is not that of an attack, but its share of small frames is.
        limits.chatter = .init(burst: 1_000_000, perSecond: 0)
        limits.settings = .init(burst: 1_000_000, perSecond: 0)
        let wire = try Wire(seed, client: limits, server: limits)
        let heads = (0..<5).map { number in
            HTTP2RequestHead(
                method: number == 4 ? "GET" : "POST",
                fields: [
                    ("authorization", "bearer " + String(repeating: "j", count: number * 300 + 1)),
                    ("apns-topic", "com.example.\(number)"), ("x-head", "\(number)"),
                ]
            )
        }
        var requests: [UInt64: Request] = [:]
        var answered: Set<UInt64> = []
        var waiting: [UInt32] = []
        var messages: [UInt32: Bench.Taken] = [:]
        let count = 120
        var sent = 0
        while answered.count < count {
            let canOpen = wire.client.canOpen
            if sent < count, canOpen, Int.random(in: 0..<3, using: &wire.chance) > 0 {
                sent += 1
                let request = Request(
                    fields: [("apns-id", "id-\(sent)"), ("x-own", "own-\(sent)")],
                    head: Int.random(in: 0..<5, using: &wire.chance),
                    path: "/3/device/\(sent)",
                    body: wire.chance.bytes(
                        Int.random(in: 0..<3, using: &wire.chance) * Int.random(in: 0...12_000, using: &wire.chance)
                    )
                )
                requests[UInt64(sent)] = request
                wire.client.open(
                    tag: UInt64(sent),
                    head: heads[request.head],
                    path: request.path,
                    fields: request.fields,
                    body: request.body
                )
            }
            switch Int.random(in: 0..<40, using: &wire.chance) {
            case 0: wire.server.machine.announce(streamLimit: Int.random(in: 1...50, using: &wire.chance))
            case 1: wire.client.machine.ping(UInt64(sent))
            case 2: wire.server.machine.ping(UInt64(sent))
            case 3:
                let size = [0, 100, 4096].randomElement(using: &wire.chance) ?? 0
                wire.server.machine.output.writeSettings([HTTP2Setting(.headerTableSize, size)])
            default: break
            }
            let hasMoved = try wire.move()
            for case .message(let stream) in wire.server.takeEvents() {
                messages[stream] = wire.server.take(stream)
                waiting.append(stream)
            }
            // Answers in any order, some late.
            if let place = waiting.indices.randomElement(using: &wire.chance),
                !hasMoved || Bool.random(using: &wire.chance)
            {
                let stream = waiting.remove(at: place)
                let message = try #require(messages[stream])
                var answer = HTTP2Answer(status: 200 + message.body.count % 300, body: message.body)
                let id = message.fields.first { $0.hasPrefix("apns-id: ") }?.dropFirst("apns-id: ".count)
                answer.add(FieldName.apnsID, Array((id ?? "").utf8))
                answer.add(FieldName.contentType, Array("application/json".utf8), indexing: .whole)
                answer.add(FieldName.uniqueID, .uuid(high: UInt64(stream), low: 1))
                let number = try #require(UInt64(id?.dropFirst(3) ?? ""))
                let request = try #require(requests[number])
                #expect(
                    message.fields == [
                        ":method: \(heads[request.head].method)", ":scheme: https", ":authority: localhost",
                        ":path: \(request.path)",
                    ]
                        + (heads[request.head].fields.map { ($0.name, $0.value) } + request.fields).map {
                            "\($0.0): \($0.1)"
                        }
                )
                #expect(message.body == request.body)
                wire.server.answer(stream, answer)
            }
            for event in wire.client.takeEvents() {
                if case .reset = event {
                    Issue.record("a stream was reset: \(event)")
                    return
                }
                guard case .message(let stream) = event else { continue }
                let answer = try #require(wire.client.take(stream))
                let request = try #require(requests[answer.tag])
                #expect(answered.insert(answer.tag).inserted)
                #expect(answer.body == request.body)
                #expect(answer.status == 200 + request.body.count % 300)
                #expect(answer.fields.contains("apns-id: id-\(answer.tag)"))
            }
        }
        #expect(wire.client.machine.openStreams == 0)
        #expect(wire.client.machine.heldBytes == 0)
        #expect(wire.server.machine.heldBytes == 0)
    }

    @Test(
        "Heads that are encoded once arrive whole, with evictions between them",
        arguments: [0, 60, 300, 4096],
        [1, 3, 100]
    )
    func heads(_ tableSize: Int, _ headCount: Int) throws {
        let client = try Bench(.client)
        let server = try Bench(.server)
        try client.feed(.settings([(1, UInt32(tableSize))]))
        var chance = SeededChance(UInt64(tableSize + headCount))
        let heads = (0..<headCount).map { number in
            HTTP2RequestHead(fields: [
                ("authorization", "bearer " + String(repeating: "x", count: number % 7 * 40 + 1)),
                ("apns-topic", "com.example.\(number)"), ("apns-push-type", "alert"), ("x-own", "\(number)"),
            ])
        }
        for number in 0..<400 {
            let head = heads[Int.random(in: 0..<headCount, using: &chance)]
            // Some requests put new names into the table between two uses of a head.
            var fields = [("apns-id", "\(number)")]
            if number % 5 == 0 { fields.append(("apns-collapse-id", String(repeating: "c", count: number % 64))) }
            if number % 50 == 49 { fields.append(("apns-expiration", "\(number)")) }
            let stream = client.open(head: head, path: "/\(number)", fields: fields)
            try server.feed(client.takeFrames().filter { $0.type == 1 })
            let expected =
                [":method: POST", ":scheme: https", ":authority: localhost", ":path: /\(number)"]
                + (head.fields.map { ($0.name, $0.value) } + fields).map { "\($0.0): \($0.1)" }
            let found = server.take(stream)?.fields
            if found != expected { #expect(found == expected) }
            server.answer(stream, HTTP2Answer(status: 200))
            try client.feed(server.takeBytes())
            _ = client.take(stream)
        }
        if tableSize == 4096, headCount == 1 {
            // All of it is indices by now, but for the path and the field that has no number.
            client.open(head: heads[0], path: "/")
            #expect(client.takeFrames().last.map { $0.payload.count < 24 } == true)
        }
    }
}
