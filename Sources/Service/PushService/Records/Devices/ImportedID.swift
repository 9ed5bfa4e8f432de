package import PushModel

/// A registration id of another service, and the device that it refers to.
package struct ImportedID: Hashable, Sendable {
    package var id: RegistrationID
    package var device: DeviceID
    /// Whether the id names the device; false once an app has registered and has its own id.
    package var isName: Bool

    package init(id: RegistrationID, device: DeviceID, isName: Bool) {
        self.id = id
        self.device = device
        self.isName = isName
    }
}

/// The number of imported rows by outcome, and the rejected ones, as the API shows them.
package struct ImportAnswer: Codable, Sendable {
    package struct Rejection: Codable, Sendable {
        package let index: Int
        package let problem: String
    }

    package let created: Int
    package let updated: Int
    package let unchanged: Int
    package let kept: Int
    /// The rejected rows, in ascending order.
    package let rejected: [Rejection]

    package init(_ outcomes: [ImportResult.Outcome] = [], rejected: [Rejection] = []) {
        func number(_ outcome: ImportResult.Outcome) -> Int { outcomes.count { $0 == outcome } }
        created = number(.created)
        updated = number(.updated)
        unchanged = number(.unchanged)
        kept = number(.kept)
        self.rejected = rejected
    }
}

/// The result of rows that were imported together.
package struct ImportResult: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        case created
        case updated
        /// Already known with the same data.
        case unchanged
        /// An app has registered as the device; its data takes precedence over the file.
        case kept
    }

    /// One outcome per imported row, in order.
    package var outcomes: [Outcome] = []
    /// The indices of rows that were not imported, as other processes have given the last places under their aliases to other devices.
    package var withFullAlias: [Int] = []
    package var devices: [RegisteredDevice] = []
    package var ids: [ImportedID] = []

    package init() {}
}
