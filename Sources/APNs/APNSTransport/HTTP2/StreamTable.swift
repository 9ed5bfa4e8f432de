/// The open streams of a connection, in flat arrays.
///
/// Stream ids count up, so the id itself, halved, is the place: the next stream nearly always finds its own free, and a
/// look-up is one comparison. Where streams that stay open long collide with new ones, the next free place is taken (open
/// addressing). The arrays grow with the number of open streams and never hold more than half of what they could.
struct StreamTable<Value> {
    private var ids: [UInt32] = []
    private var values: [Value] = []
    private(set) var count = 0
    /// Stands in free places.
    private let vacant: Value

    init(vacant: Value) { self.vacant = vacant }

    private var mask: Int { ids.count - 1 }

    /// Where the stream is; valid until the next insertion or removal. Nil if it is not open.
    @inline(__always)
    func place(of id: UInt32) -> Int? {
        guard count > 0 else { return nil }
        var place = Int(id >> 1) & mask
        while true {
            let found = ids[place]
            if found == id { return place }
            if found == 0 { return nil }
            place = (place + 1) & mask
        }
    }

    /// The value at a place that ``place(of:)`` or ``insert(_:_:)`` gave.
    @inline(__always)
    subscript(place: Int) -> Value {
        _read { yield values[place] }
        _modify { yield &values[place] }
    }

    /// Adds a stream that is not in the table yet.
    @discardableResult
    mutating func insert(_ id: UInt32, _ value: consuming Value) -> Int {
        if (count + 1) * 2 > ids.count { grow() }
        count += 1
        return put(id, value)
    }

    @discardableResult
    mutating func remove(at place: Int) -> Value {
        var removed = vacant
        swap(&removed, &values[place])
        ids[place] = 0
        count -= 1
        // Close the gap, so that a search need not step over removed places.
        var gap = place
        var next = (place + 1) & mask
        while ids[next] != 0 {
            let home = Int(ids[next] >> 1) & mask
            if (next - home) & mask >= (next - gap) & mask {
                ids[gap] = ids[next]
                values.swapAt(gap, next)
                ids[next] = 0
                gap = next
            }
            next = (next + 1) & mask
        }
        return removed
    }

    /// The ids of all open streams, in the order in which they were opened.
    var openIDs: [UInt32] { ids.filter { $0 != 0 }.sorted() }

    /// Changes all streams, in no particular order.
    mutating func changeAll<Failure>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) {
        for place in ids.indices where ids[place] != 0 { try body(&self[place]) }
    }

    /// Gives the memory of a busy hour back.
    mutating func shrinkIfEmpty() {
        guard count == 0, ids.count > 64 else { return }
        ids = []
        values = []
    }

    private mutating func put(_ id: UInt32, _ value: consuming Value) -> Int {
        var place = Int(id >> 1) & mask
        while ids[place] != 0 { place = (place + 1) & mask }
        ids[place] = id
        values[place] = value
        return place
    }

    private mutating func grow() {
        let old = zip(ids, values)
        let size = max(16, ids.count * 2)
        ids = Array(repeating: 0, count: size)
        values = Array(repeating: vacant, count: size)
        for (id, value) in old where id != 0 { _ = put(id, value) }
    }
}
