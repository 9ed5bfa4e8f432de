import Testing

@testable import APNSGateway

@Suite("XXH64")
struct XXH64Tests {
    @Test(
        "The sums of texts that are published with the algorithm, of each way to end",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999),
            ("a", 0xD24E_C4F1_A98C_6E5B),
            ("as", 0x1C33_0FB2_D66B_E179),
            ("asd", 0x631C_37CE_72A9_7393),
            ("asdf", 0x4158_72F5_99CE_A71E),
            ("abc", 0x44BC_2CF5_AD77_0999),
            ("Call me Ishmael. Some years ago--never mind how long precisely-", 0x02A2_E854_70D6_FD96),
        ] as [(String, UInt64)]
    )
    func known(_ text: String, _ sum: UInt64) {
        #expect(XXH64.hash(text.utf8.span) == sum)
    }
}
