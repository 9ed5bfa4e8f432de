import Synchronization

/// The versions of an app on some of its devices, in their order.
struct DeviceAppVersions: Sendable {
    /// Each version once, by number from 1.
    var names = NumberedNames()
    /// The numbers by device; a device after the last one has none.
    var numbers: [UInt16] = []

    /// The number of the version of the device at this place; 0 if it is unknown.
    func number(at place: Int) -> UInt16 { place < numbers.count ? numbers[place] : 0 }
}

extension Registry {
    /// Returns the app's versions on devices whose ordinals ascend, as sent by their SDKs.
    func appVersions(of ordinals: ArraySlice<DeviceOrdinal>, of app: App.ID) -> DeviceAppVersions {
        knownDevices(of: app)?.state.withLock { state in
            DeviceAppVersions(
                names: state.columns.appVersions.names,
                numbers: state.columns.appVersions.numbers(of: ordinals)
            )
        } ?? DeviceAppVersions()
    }
}
