/// The last-seen time of each device of an app, in seconds since 1970; 0 stands for none.
///
/// Each piece of 4,096 devices has a lower bound of its times, so that a search for old ones skips most pieces.
struct LastSeenTimes: Sendable {
    static let size = 4096

    private var seconds = PieceColumn(blank: UInt32(0))
    /// For each piece, a lower bound of its devices' signs of life.
    private var oldest: ContiguousArray<UInt32> = []
    private var count = 0

    /// The time of a device, for which there must be room.
    subscript(place: Int) -> UInt32 {
        get { seconds[place] }
        set {
            guard newValue != seconds[place] else { return }
            seconds[place] = newValue
            if newValue > 0 { oldest[place / Self.size] = min(oldest[place / Self.size], newValue) }
        }
    }

    /// Returns those of 64 devices, one bit each, that were last seen at such a time.
    func members(of word: UInt64, at index: Int, in times: ClosedRange<UInt32>) -> UInt64 {
        seconds.members(of: word, at: index, where: times.contains)
    }

    mutating func grow(to count: Int) {
        self.count = count
        seconds.grow(to: count)
        while oldest.count * Self.size < count { oldest.append(.max) }
    }

    /// Returns the pieces that may have devices not seen since `time`.
    func pieces(before time: UInt32) -> [Int] { oldest.indices.filter { oldest[$0] < time } }

    /// Returns the devices of a piece.
    func places(ofPiece number: Int) -> Range<Int> { number * Self.size..<min((number + 1) * Self.size, count) }

    /// Returns the devices of a piece that were seen, but not since `time`, in ascending order. Updates the piece's bound.
    mutating func places(ofPiece number: Int, before time: UInt32) -> [Int] {
        var found = [Int]()
        var first = UInt32.max
        for place in places(ofPiece: number) {
            let seen = seconds[place]
            guard seen > 0 else { continue }
            first = min(first, seen)
            if seen < time { found.append(place) }
        }
        oldest[number] = first
        return found
    }
}
