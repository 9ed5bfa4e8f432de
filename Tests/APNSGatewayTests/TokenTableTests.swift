import PushModel
import Testing

@testable import APNSGateway

@Suite("The table of tokens")
struct TokenTableTests {
    private func key(_ words: [UInt8]) -> TokenKey {
        TokenKey(DeviceToken(bytes: words + [UInt8](repeating: 0, count: 32 - words.count)))
    }

    @Test("Each token is found at its place, however many there are, and no other one")
    func many() {
        var random = SplitMix(seed: 7)
        let keys = (0..<5000).map { _ in
            key((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
        var table = TokenTable()
        for (place, token) in keys.enumerated() {
            #expect(table.index(of: token.prefix) { keys[$0] == token } == nil)
            table.add(token, at: place) { keys[$0] }
        }
        #expect(table.count == keys.count)
        for (place, token) in keys.enumerated() {
            #expect(table.index(of: token.prefix) { keys[$0] == token } == place)
        }
        let stranger = key([1, 2, 3])
        #expect(table.index(of: stranger.prefix) { keys[$0] == stranger } == nil)
    }

    @Test("Tokens that begin alike are told apart, and those that begin where another ends are found behind it")
    func alike() {
        // The same first eight octets; the same last ones of these; the same first ones.
        let keys = [
            key([1, 2, 3, 4, 5, 6, 7, 8, 1]), key([1, 2, 3, 4, 5, 6, 7, 8, 2]), key([9, 2, 3, 4, 5, 6, 7, 8]),
            key([1, 2, 3, 4, 5, 6, 7, 9]), key([1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
        ]
        var table = TokenTable()
        for (place, token) in keys.enumerated() { table.add(token, at: place) { keys[$0] } }
        for (place, token) in keys.enumerated() {
            #expect(table.index(of: token.prefix) { keys[$0] == token } == place)
        }
        let other = key([1, 2, 3, 4, 5, 6, 7, 8, 3])
        #expect(table.index(of: other.prefix) { keys[$0] == other } == nil)
    }
}
