public import Foundation

extension URL {
    /// Apple's systems guard attachments with it. On Linux every file that can be read is open: always true.
    public func startAccessingSecurityScopedResource() -> Bool { true }
    /// The end of an access.
    public func stopAccessingSecurityScopedResource() {}
}

extension CGRect {
    /// The rectangle as Core Graphics writes it down: `X`, `Y`, `Width`, `Height`.
    public var dictionaryRepresentation: NSDictionary {
        [
            "X": NSNumber(value: Double(origin.x)), "Y": NSNumber(value: Double(origin.y)),
            "Width": NSNumber(value: Double(size.width)), "Height": NSNumber(value: Double(size.height)),
        ]
    }
}
