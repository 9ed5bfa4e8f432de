import Foundation
import Synchronization

/// Names of some devices, in their order, such as their languages.
struct NamesOfDevices: Sendable {
    /// Each name once, by number from 1.
    private(set) var names = NumberedNames()
    /// The numbers by device; a device after the last one has none.
    private var numbers: [UInt16] = []

    init() {}

    fileprivate init(of ordinals: ArraySlice<DeviceOrdinal>, in column: NameColumn) {
        names = column.names
        numbers = column.numbers(of: ordinals)
    }

    /// The number of the name of the device at this place; 0 if it is unknown.
    func number(at place: Int) -> UInt16 { place < numbers.count ? numbers[place] : 0 }
}

extension Registry {
    /// Returns the app's versions on devices whose ordinals ascend, as sent by their SDKs.
    func appVersions(of ordinals: ArraySlice<DeviceOrdinal>, of app: App.ID) -> NamesOfDevices {
        names(of: ordinals, app) { $0.appVersions }
    }

    /// Returns the languages of devices whose ordinals ascend, as sent by their SDKs.
    func languages(of ordinals: ArraySlice<DeviceOrdinal>, of app: App.ID) -> NamesOfDevices {
        names(of: ordinals, app) { $0.languages }
    }

    private func names(
        of ordinals: ArraySlice<DeviceOrdinal>,
        _ app: App.ID,
        in column: (AudienceColumns) -> NameColumn
    ) -> NamesOfDevices {
        guard let devices = knownDevices(of: app) else { return NamesOfDevices() }
        return devices.state.withLock { NamesOfDevices(of: ordinals, in: column($0.columns)) }
    }
}

extension Registry {
    /// Returns the time zones of devices whose ordinals ascend, as sent by their SDKs.
    package func zones(of ordinals: ArraySlice<DeviceOrdinal>, of app: App.ID) -> DeviceZones {
        knownDevices(of: app)?.state.withLock { $0.columns.zones.zones(of: ordinals) } ?? DeviceZones()
    }

    /// Returns the local times of devices, in seconds since 1970 plus the offset of their zones; `fallback` is the zone of devices that have
    /// reported none.
    func localTimes(
        of ordinals: [DeviceOrdinal],
        of app: App.ID,
        at date: Date,
        fallback: TimeZone
    ) -> [DeviceOrdinal: Int64] {
        let zones = zones(of: ordinals[...], of: app)
        let local = zones.zones.map { zone in
            Int64(date.timeIntervalSince1970.rounded(.down)) + Int64((zone ?? fallback).secondsFromGMT(for: date))
        }
        var times: [DeviceOrdinal: Int64] = [:]
        for (place, ordinal) in ordinals.enumerated() { times[ordinal] = local[zones.number(at: place)] }
        return times
    }

    /// Returns the devices of a resolution that are in some time zones only.
    func filter(_ resolution: Resolution, of app: App.ID, inZones isMeant: (TimeZone?) -> Bool) -> Resolution {
        func filtered(_ ordinals: [DeviceOrdinal]) -> [DeviceOrdinal] {
            let zones = zones(of: ordinals[...], of: app)
            let meant = zones.zones.map(isMeant)
            return ordinals.indices.filter { meant[zones.number(at: $0)] }.map { ordinals[$0] }
        }
        var rest = resolution
        rest.reachable = filtered(resolution.reachable)
        rest.inOtherEnvironment = filtered(resolution.inOtherEnvironment)
        rest.withoutToken = filtered(resolution.withoutToken)
        rest.refused = filtered(resolution.refused)
        rest.stopped = filtered(resolution.stopped)
        return rest
    }

    /// Returns the time zones in use by devices of the app, as IANA names.
    package func zonesInUse(of app: App.ID) -> [String] {
        knownDevices(of: app)?.state.withLock { $0.columns.zones.inUse } ?? []
    }
}
