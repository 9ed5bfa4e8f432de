import PushModel

extension RandomNumberGenerator {
    /// That many lower-case hexadecimal digits.
    package mutating func hexadecimalDigits(_ count: Int) -> String {
        let bytes = (0..<(count + 1) / 2).map { _ in UInt8.random(in: .min ... .max, using: &self) }
        return String(bytes.hexadecimal.prefix(count))
    }
}
