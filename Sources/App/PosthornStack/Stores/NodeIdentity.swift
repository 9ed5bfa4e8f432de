import Foundation

/// The number and the name of a node, as set.
package struct NodeIdentity: Sendable {
    /// The number; nil for any that is free.
    let number: Int16?
    let name: String
    let version: String

    /// - Parameters:
    ///   - number: the number, from 1; nil for any that is free.
    ///   - name: the name for operators.
    ///   - version: the version of Posthorn.
    package init(number: Int16?, name: String = NodeIdentity.hostName, version: String) {
        (self.number, self.name, self.version) = (number, name, version)
    }

    /// The name of this machine.
    package static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
