package import Foundation
import PushModel

/// A name of each device of an app, by its ordinal, where many devices share few names, such as those of time zones.
///
/// A device has a number of two octets. An app none of whose devices has a name takes no memory. A name that no device has any more makes
/// room: a device may bring one name after the other.
struct NameColumn: Sendable {
    private(set) var names = NumberedNames()
    private var column = PieceColumn(blank: UInt16(0))
    private var size = 0
    /// The number of devices of each name, by number from 1.
    private var counts: [Int] = []

    /// Sets or removes the name of a device.
    ///
    /// - Returns: the number of the name, if no other device has it.
    @discardableResult
    mutating func set(_ place: Int, _ name: String?) -> UInt16? {
        guard name != nil || place < size else { return nil }
        if place >= size {
            size = place + 1
            column.grow(to: size)
        }
        let old = column[place]
        let new = name.map { names.number(of: $0) } ?? 0
        guard new != old else { return nil }
        column[place] = new
        if counts.count < names.all.count { counts.append(0) }
        if old > 0 {
            counts[Int(old) - 1] -= 1
            if counts[Int(old) - 1] == 0 { names.remove(old) }
        }
        guard new > 0 else { return nil }
        counts[Int(new) - 1] += 1
        return counts[Int(new) - 1] == 1 ? new : nil
    }

    /// Removes names from all devices.
    mutating func remove(where isUnwanted: (String) -> Bool) {
        guard inUse.contains(where: isUnwanted) else { return }
        let marks = marks(isUnwanted)
        for place in 0..<size where marks[Int(column[place])] { set(place, nil) }
    }

    subscript(place: Int) -> String? { place < size ? names[column[place]] : nil }

    /// The names that some device has.
    var inUse: [String] { zip(names.all, counts).filter { $0.1 > 0 }.map(\.0) }

    /// Returns those of 64 devices, one bit each, whose name's number is marked in `isMeant`.
    func members(of word: UInt64, at index: Int, where isMeant: [Bool]) -> UInt64 {
        column.members(of: word, at: index) { isMeant[Int($0)] }
    }

    /// Returns a mark for each number that says whether its name is meant; devices without a name are not.
    func marks(_ isMeant: (String) -> Bool) -> [Bool] { [false] + names.all.map(isMeant) }

    /// Returns the numbers of the names of devices whose ordinals ascend, 0 for none.
    func numbers(of ordinals: ArraySlice<DeviceOrdinal>) -> [UInt16] { column.values(of: ordinals) }
}

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
