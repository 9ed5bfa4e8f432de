import APNSProvider
import Crypto
import PushModel

let clientRoads = [
    Road(name: "client_batch", unit: "push in a batch of 500", house: "client") { try await clientBatch($0) }
]

/// A batch of 500 through the provider client, over TLS, until all are answered.
private func clientBatch(_ meter: Meter) async throws {
    let (size, rounds) = (500, 2)
    let server = try await PlainAPNs.start()
    let key = try APNSSigningKey(
        p8: P256.Signing.PrivateKey().pemRepresentation,
        keyID: "KEY1234567",
        teamID: "TEAM123456"
    )
    var endpoint = APNSEndpoint(host: "127.0.0.1", port: server.port)
    endpoint.isVerified = false
    // Under callgrind all answers are slow; more connections would not help.
    var configuration = APNSClientConfiguration(deadline: .seconds(3600), answerTimeout: .seconds(3600))
    configuration.connections = 1...1
    let client = APNSClient(
        credential: .key(key),
        endpoint: endpoint,
        configuration: configuration,
        logger: silence
    )
    var random = SplitMix(seed: 1)
    let tokens = (0..<size).map { _ in
        DeviceToken(words: SIMD4(random.next(), random.next(), random.next(), random.next()))
    }
    let payload = Array(#"{"aps":{"alert":{"title":"Good morning","body":"Lunch is ready"},"badge":1}}"#.utf8)
    let sent = Arrivals()
    try await meter.measure(units: size * rounds) {
        for _ in 0..<rounds {
            var batch = APNSBatch(topic: "com.example.app", priority: 10)
            batch.reserve(size, payloadBytes: payload.count)
            for token in tokens { batch.add(token, payload: payload) }
            await client.send(batch) { results in
                for result in results where result.outcome != .accepted {
                    return sent.fail(UnexpectedAnswer("\(result.outcome)"))
                }
                sent.add(results.count)
            }
            try await sent.wait(for: size)
        }
    }
    await client.shutdown()
}
