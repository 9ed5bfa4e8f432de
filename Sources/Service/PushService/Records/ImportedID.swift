package import PushModel

/// A registration id of others, and the device that it leads to.
package struct ImportedID: Hashable, Sendable {
    package var id: RegistrationID
    package var device: DeviceID
    /// Whether the device is called by it: no longer when an app has registered and has an id of its own.
    package var isName: Bool

    package init(id: RegistrationID, device: DeviceID, isName: Bool) {
        self.id = id
        self.device = device
        self.isName = isName
    }
}

/// What came of rows that were imported together.
package struct ImportResult: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        case created
        case updated
        /// Known already, with all that the row says.
        case unchanged
        /// An app has registered as the device, which knows better than the file.
        case kept
    }

    /// One a row, in their order.
    package var outcomes: [Outcome] = []
    package var devices: [Device] = []
    package var ids: [ImportedID] = []

    package init() {}
}
