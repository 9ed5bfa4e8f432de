package import PushModel

/// One device of a step.
package struct Target: Hashable, Sendable {
    package var ordinal: DeviceOrdinal
    package var token: DeviceToken?
    package var badge: Int
}

/// The devices of a step with all that sending to them takes, side by side, so that many of them cost three allocations.
package struct Targets: RandomAccessCollection, Sendable {
    private let ordinals: ArraySlice<DeviceOrdinal>
    /// Four a device: its token, or zero where it has none, or a longer one.
    package let words: [UInt64]
    private let badges: [Int32]
    /// By place: tokens that are not of 32 bytes, and nil where there is none.
    private let others: [Int: DeviceToken?]

    init() { (ordinals, words, badges, others) = ([], [], [], [:]) }

    init(_ ordinals: ArraySlice<DeviceOrdinal>, words: [UInt64], badges: [Int32], others: [Int: DeviceToken?]) {
        self.ordinals = ordinals
        self.words = words
        self.badges = badges
        self.others = others
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ordinals.count }

    package subscript(place: Int) -> Target {
        let first = place * 4
        let token =
            others[place]
            ?? DeviceToken(words: (words[first], words[first + 1], words[first + 2], words[first + 3]))
        return Target(ordinal: ordinals[ordinals.startIndex + place], token: token, badge: Int(badges[place]))
    }
}
