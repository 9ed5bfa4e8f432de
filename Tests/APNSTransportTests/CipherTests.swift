import NIOSSL
import TestSupport
import Testing

@testable import APNSTransport

@Suite("Cipher suites", .suiteLimit)
struct CipherTests {
    @Test(
        "TLS 1.2 is spoken with authenticated encryption",
        arguments: [
            NIOTLSCipher.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
    )
    func modern(_ cipher: NIOTLSCipher) async throws {
        try await withServer { port in
            let client = try await RawClient.connect(port: port, ciphers: [cipher])
            await client.settle()
            #expect(client.log.frames.contains(.ping(Array("settled?".utf8), ack: true)))
            await client.close()
        }
    }

    @Test("A client that knows CBC alone gets no connection")
    func cbc() async throws {
        try await withServer { port in
            let client = try await RawClient.connect(
                port: port,
                ciphers: [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA]
            )
            await client.log.waitUntilClosed()
            #expect(client.log.frames.isEmpty)
        }
    }
}
