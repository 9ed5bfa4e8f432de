package import Foundation

/// The time zone of each device of an app, by its ordinal.
struct ZoneColumn: Sendable {
    /// The names of the zones.
    private(set) var column = NameColumn()
    /// The zones by number of their names; nil for unknown names.
    private var zones: [TimeZone?] = [nil]

    mutating func set(_ place: Int, _ zone: String?) {
        guard let number = column.set(place, zone), let zone else { return }
        if Int(number) == zones.count { zones.append(nil) }
        zones[Int(number)] = TimeZone(identifier: zone)
    }

    subscript(place: Int) -> String? { column[place] }

    /// The zones that some device is in.
    var inUse: [String] { column.inUse }

    /// Returns the zones of devices whose ordinals ascend.
    func zones(of ordinals: ArraySlice<DeviceOrdinal>) -> DeviceZones {
        DeviceZones(zones: zones, numbers: column.numbers(of: ordinals))
    }
}

/// The time zones of some devices, in their order.
package struct DeviceZones: Sendable {
    /// Each zone once, by number; nil for unknown names.
    package var zones: [TimeZone?] = [nil]
    /// The zone numbers by device; a device after the last one has 0.
    package var numbers: [UInt16] = []

    /// Returns the zone number of the device at this place; 0 if unknown.
    package func number(at place: Int) -> Int { place < numbers.count ? Int(numbers[place]) : 0 }

    /// The time zone of the device at this place; nil if unknown.
    package subscript(place: Int) -> TimeZone? { zones[number(at: place)] }
}
