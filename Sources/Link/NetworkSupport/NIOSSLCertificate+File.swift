import Foundation
package import NIOSSL
import PushModel

extension NIOSSLCertificate {
    /// Reads the certificates of a file in PEM, in its order.
    ///
    /// - Throws: if the file cannot be read, or holds no certificate.
    package static func read(_ path: String) throws -> [NIOSSLCertificate] {
        try fromPEMBytes(Array(try Data(contentsOf: URL(filePath: path))).normalizedPEM)
    }
}
