public import Foundation

extension URL {
    /// Starts access to a file. Apple's systems protect attachments with it; on Linux every readable file is
    /// accessible: always true.
    public func startAccessingSecurityScopedResource() -> Bool { true }
    /// Ends access to a file.
    public func stopAccessingSecurityScopedResource() {}
}

extension CGRect {
    /// The rectangle in Core Graphics's dictionary form: `X`, `Y`, `Width`, `Height`.
    public var dictionaryRepresentation: NSDictionary {
        [
            "X": NSNumber(value: Double(origin.x)), "Y": NSNumber(value: Double(origin.y)),
            "Width": NSNumber(value: Double(size.width)), "Height": NSNumber(value: Double(size.height)),
        ]
    }
}
