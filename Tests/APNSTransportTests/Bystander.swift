import Testing

@testable import APNSTransport

/// Somebody on the same server who does nothing wrong, and is served whatever others do.
final class Bystander {
    private let client: RawClient
    private var nextStream: UInt32 = 1

    private init(_ client: RawClient) { self.client = client }

    /// Runs an attack while somebody is connected who asks before, when the attack wishes, and afterwards.
    static func beside(_ port: Int, _ attack: (Bystander) async throws -> Void) async throws {
        let bystander = Bystander(try await RawClient.connect(port: port))
        try await bystander.asks()
        try await attack(bystander)
        try await bystander.asks()
        await bystander.client.close()
    }

    /// A request, which is answered with 200 in its turn.
    func asks() async throws {
        let stream = nextStream
        nextStream += 2
        client.send(.headers(stream, WireFields.request()))
        await client.log.wait { frames in frames.contains { $0.isGoAway || $0.stream == stream && $0.endsStream } }
        #expect(client.log.goAway == nil, "The bystander is sent away.")
        #expect(!client.log.isClosed, "The bystander's connection is cut.")
        let heads = client.log.frames.filter { $0.stream == stream }
        #expect(heads.map(\.type) == [1], "\(heads)")
        let all = client.log.frames.filter { $0.type == 1 }
        let reader = BlockReader()
        let statuses = try all.map { try reader.block($0.payload).status }
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
    }
}
