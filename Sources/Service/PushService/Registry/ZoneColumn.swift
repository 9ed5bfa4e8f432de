package import Foundation

/// Names of time zones by number from 1; 0 stands for none.
struct ZoneNames: Sendable {
    private var names: [String] = []
    /// The zones by number; nil for unknown names.
    private(set) var zones: [TimeZone?] = [nil]
    private var numbers: [String: UInt16] = [:]

    /// Returns the number of a name; 0 if the numbers are exhausted, of which the IANA database needs a hundredth.
    mutating func number(of name: String) -> UInt16 {
        if let number = numbers[name] { return number }
        guard names.count < Int(UInt16.max) else { return 0 }
        names.append(name)
        zones.append(TimeZone(identifier: name))
        numbers[name] = UInt16(names.count)
        return UInt16(names.count)
    }

    subscript(number: UInt16) -> String? { number == 0 ? nil : names[Int(number) - 1] }

    var all: [String] { names }
}

/// The time zone of each device of an app, by its ordinal.
///
/// An app's devices share few zones, so a device has a number of two octets. An app whose devices have sent none takes no memory.
struct ZoneColumn: Sendable {
    private var names = ZoneNames()
    private var column = PieceColumn(blank: UInt16(0))
    private var size = 0
    /// The number of devices of each zone, by zone number from 1.
    private var counts: [Int] = []

    mutating func set(_ place: Int, _ zone: String?) {
        guard zone != nil || place < size else { return }
        if place >= size {
            size = place + 1
            column.grow(to: size)
        }
        let (old, new) = (column[place], zone.map { names.number(of: $0) } ?? 0)
        guard new != old else { return }
        column[place] = new
        if counts.count < names.all.count { counts.append(0) }
        if old > 0 { counts[Int(old) - 1] -= 1 }
        if new > 0 { counts[Int(new) - 1] += 1 }
    }

    subscript(place: Int) -> String? { place < size ? names[column[place]] : nil }

    /// The zones that some device is in.
    var inUse: [String] { zip(names.all, counts).filter { $0.1 > 0 }.map(\.0) }

    /// Returns the zones of devices whose ordinals ascend.
    func zones(of ordinals: ArraySlice<DeviceOrdinal>) -> DeviceZones {
        DeviceZones(zones: names.zones, numbers: column.values(of: ordinals))
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
