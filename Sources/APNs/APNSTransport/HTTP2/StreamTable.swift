/// The open streams of a connection, in flat arrays.
///
/// Stream ids count up, so the halved id is used as the index: the next stream nearly always finds its slot free, and
/// opening, finding and closing a stream take one comparison each. A stream whose slot is taken by a long-lived one goes
/// into a short overflow list. The arrays grow with the number of open streams.
struct StreamTable<Value> {
    /// The home slots, a power of two of them, then the overflow. 0 is a free slot.
    private var ids: [UInt32] = []
    private var values: [Value] = []
    private var homes = 0
    private(set) var count = 0
    /// The value of free slots.
    private let vacant: Value

    init(vacant: Value) { self.vacant = vacant }

    @inline(__always)
    private func home(of id: UInt32) -> Int { Int(id >> 1) & (homes - 1) }

    /// Returns the index of a stream, valid until the next insertion or removal; nil if it is not open.
    @inline(__always)
    func place(of id: UInt32) -> Int? {
        guard count > 0 else { return nil }
        let home = home(of: id)
        if ids[home] == id { return home }
        return ids.count == homes ? nil : ids[homes...].firstIndex(of: id)
    }

    /// The value at an index from ``place(of:)`` or ``insert(_:_:)``.
    subscript(place: Int) -> Value {
        @inline(__always)
        _read { yield values[place] }
        @inline(__always)
        _modify { yield &values[place] }
    }

    /// Adds a stream that is not in the table yet.
    @discardableResult
    @inline(__always)
    mutating func insert(_ id: UInt32, _ value: consuming Value) -> Int {
        if (count + 1) * 2 > homes { grow() }
        count += 1
        let home = home(of: id)
        guard ids[home] == 0 else {
            ids.append(id)
            values.append(value)
            return ids.count - 1
        }
        ids[home] = id
        values[home] = value
        return home
    }

    /// Removes a stream; the slot keeps its value until it is reused.
    @inline(__always)
    mutating func remove(at place: Int) {
        count -= 1
        guard place >= homes else {
            ids[place] = 0
            return
        }
        ids.remove(at: place)
        values.remove(at: place)
    }

    /// The ids of all open streams, in the order in which they were opened.
    var openIDs: [UInt32] { ids.filter { $0 != 0 }.sorted() }

    /// Changes all streams, in no particular order.
    mutating func changeAll<Failure>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) {
        for place in ids.indices where ids[place] != 0 { try body(&values[place]) }
    }

    /// Whether the table is larger than a few streams need.
    var hasSpares: Bool { homes > 64 }

    /// Releases memory after a busy period.
    mutating func shrinkIfEmpty() {
        guard count == 0, hasSpares else { return }
        ids = []
        values = []
        homes = 0
    }

    private mutating func grow() {
        let old = zip(ids, values).filter { $0.0 != 0 }
        homes = max(16, homes * 2)
        ids = Array(repeating: 0, count: homes)
        values = Array(repeating: vacant, count: homes)
        count = 0
        for (id, value) in old { insert(id, value) }
    }
}
