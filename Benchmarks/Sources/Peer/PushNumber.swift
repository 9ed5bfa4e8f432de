import Foundation

/// Apns-ids that carry a number, so that each push can be counted.
public enum PushNumber {
    public static func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    public static func number(_ id: String) -> Int? { Int(id.suffix(12)) }
}

/// The current resident memory of the process.
public func residentBytes() -> Int {
    // Counted in pages of 4096 bytes.
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
}
