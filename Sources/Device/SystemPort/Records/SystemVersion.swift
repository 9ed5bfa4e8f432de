/// The numbers of a version of iOS.
package struct SystemVersion: Sendable {
    /// The number before the first period; 17 if the version does not begin with one.
    package let major: Int
    /// The number after it; 0 if there is none.
    package let minor: Int

    /// Reads a version, `17.0` for example.
    package init(_ text: String) {
        let parts = text.split(separator: ".").prefix(2).map { Int($0) }
        major = parts.first.flatMap(\.self) ?? 17
        minor = parts.dropFirst().first.flatMap(\.self) ?? 0
    }

    /// Whether the version is this one or a later one.
    package func isAtLeast(_ major: Int, _ minor: Int) -> Bool { (self.major, self.minor) >= (major, minor) }
}
