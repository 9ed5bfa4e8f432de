/// Posts to callback addresses.
package protocol CallbackSender: Sendable {
    /// Posts JSON, with header fields beside those of every request; returns if the answer was 2xx.
    func post(_ body: [UInt8], fields: [(name: String, value: String)], to url: String) async throws(CallbackFailure)
}

/// The error for a callback that was not taken.
package struct CallbackFailure: Error, Hashable, CustomStringConvertible {
    package var description: String
    /// Whether further attempts are pointless.
    package var isFinal: Bool

    package init(_ description: String, isFinal: Bool = false) {
        (self.description, self.isFinal) = (description, isFinal)
    }
}

/// Refuses all addresses: a service that was built without a way out.
struct NoCallbackSender: CallbackSender {
    func post(_ body: [UInt8], fields: [(name: String, value: String)], to url: String) async throws(CallbackFailure) {
        throw CallbackFailure("This service sends no callbacks.", isFinal: true)
    }
}
