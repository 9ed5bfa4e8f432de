package import Foundation

extension PushCertificate {
    /// The validity of a certificate at a date.
    package enum Validity: Hashable, Sendable {
        case valid
        case notYetValid
        case expired
        case revoked(Date)
    }

    /// `revocations` is the list of the gateway that issued it; nil if it was issued elsewhere.
    package func validity(at now: Date, revocations: RevocationList?) -> Validity {
        if let date = revocations?.date(of: serial) { return .revoked(date) }
        if now < notValidBefore { return .notYetValid }
        return now > notValidAfter ? .expired : .valid
    }
}
