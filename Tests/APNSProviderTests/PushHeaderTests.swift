import APNSProvider
import APNSTransport
import Foundation
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Headers of a push", .timeLimit(.minutes(3)))
struct PushHeaderTests {
    @Test("The list has each member of the headers")
    func complete() {
        let members = Mirror(reflecting: APNSHeaders(topic: nil)).children.map(\.label)
        #expect(members == PushHeader.allCases.map { "\($0)" })
    }

    /// A way from the client to the wire.
    enum Road: CaseIterable {
        case single
        /// In the head that all pushes of a batch share.
        case common
        /// In the fields of pushes of a batch with headers of their own.
        case own
    }

    @Test("Each header arrives once with its value, on each road")
    func arrives() async throws {
        let seen = Mutex<[String: [[String]]]>([:])
        try await TroubleServer.with { asked in
            let fields = asked.request.headers.map { [$0.name, $0.value] }
            seen.withLock { $0[asked.id] = fields.filter { !["authorization", "apns-id"].contains($0[0]) } }
            asked.accept()
        } _: { server in
            let client = try server.client()
            // Headers that differ in one member may not be taken for one another.
            for changed in [nil] + PushHeader.allCases {
                for road in Road.allCases {
                    var push = Example.push()
                    push.id = UUID().uuidString.lowercased()
                    var expected: [[String]] = []
                    for header in PushHeader.allCases {
                        expected.append(Self.set(header, header == changed ? 1 : 0, in: &push.headers))
                    }
                    try await Self.send(push, on: road, over: client)
                    let fields = try #require(seen.withLock { $0[push.id] })
                    #expect(fields.sorted { $0[0] < $1[0] } == expected.sorted { $0[0] < $1[0] })
                }
            }
            await client.shutdown()
        }
    }

    /// Sets a header to the first or second of two values.
    ///
    /// - Returns: the field on the wire.
    private static func set(_ header: PushHeader, _ index: Int, in headers: inout APNSHeaders) -> [String] {
        switch header {
        case .topic:
            headers.topic = ["com.example.app", "com.example.other"][index]
            return ["apns-topic", ["com.example.app", "com.example.other"][index]]
        case .pushType:
            headers.pushType = [.alert, .background][index]
            return ["apns-push-type", ["alert", "background"][index]]
        case .priority:
            headers.priority = [5, 1][index]
            return ["apns-priority", ["5", "1"][index]]
        case .expiration:
            headers.expiration = [4_000_000_000, 0][index]
            return ["apns-expiration", ["4000000000", "0"][index]]
        case .collapseID:
            headers.collapseID = ["lunch", "dinner"][index]
            return ["apns-collapse-id", ["lunch", "dinner"][index]]
        }
    }

    private static func send(_ push: APNSPush, on road: Road, over client: APNSClient) async throws {
        if road == .single {
            #expect(await client.send(push) == .accepted)
            return
        }
        var batch = APNSBatch(road == .common ? push.headers : APNSHeaders(topic: nil))
        batch.add(push)
        let outcomes = Mutex<[APNSOutcome]>([])
        await client.send(batch) { results in outcomes.withLock { $0 += results.map(\.outcome) } }
        #expect(outcomes.withLock { $0 } == [.accepted])
    }
}
