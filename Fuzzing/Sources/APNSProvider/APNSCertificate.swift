/// The part of `APNSCertificate` that the parser of bundles throws. The type itself needs BoringSSL.
public enum APNSCertificate {
    struct Unreadable: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }
}
