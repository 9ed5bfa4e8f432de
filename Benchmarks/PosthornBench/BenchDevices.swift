import PushModel

/// The devices of the benchmark, derived from their numbers alone, so that another program can create the same ones.
struct BenchDevices {
    /// A pseudorandom number, by splitmix64.
    static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Three tags: two shared by a tenth of the devices each, one shared by a thousandth.
    static func tags(_ number: Int) -> [String] {
        let mixed = mix(UInt64(number) &+ 77)
        return ["g\(1 + mixed % 10)", "g\(11 + (mixed >> 8) % 10)", "g\(21 + (mixed >> 16) % 1000)"]
    }

    static func device(_ number: Int) -> DeviceImport {
        let first = UInt64(number) &* 4
        let token = DeviceToken(words: SIMD4(mix(first), mix(first + 1), mix(first + 2), mix(first + 3)))
        var device = DeviceImport(token: token)
        device.alias = .set("alias\(number)")
        device.tags = tags(number).sorted()
        return device
    }
}
