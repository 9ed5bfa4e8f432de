import PushModel

package struct DeviceID: Hashable, Sendable {
    package var app: App.ID
    package var ordinal: DeviceOrdinal

    package init(app: App.ID, ordinal: DeviceOrdinal) {
        self.app = app
        self.ordinal = ordinal
    }

    /// The numeric name of the device in payloads (`_j_uid`): eleven digits or more.
    package var userID: Int64 { 10_000_000_000 + Int64(app) << 32 + Int64(ordinal) }
}
