/// The open streams of a connection, in flat arrays.
///
/// Stream ids count up, so the id itself, halved, is the place: the next stream nearly always finds its own free, and
/// opening, finding and closing one are a comparison each. A stream that finds its place taken by one that has been open
/// for long goes into a short list beside it. The arrays grow with the number of open streams.
struct StreamTable<Value> {
    private var ids: [UInt32] = []
    private var values: [Value] = []
    /// Streams that found their place taken; they count on from the end of ``ids``.
    private var others: [(id: UInt32, value: Value)] = []
    private(set) var count = 0
    /// Stands in free places.
    private let vacant: Value

    init(vacant: Value) { self.vacant = vacant }

    @inline(__always)
    private func home(of id: UInt32) -> Int { Int(id >> 1) & (ids.count - 1) }

    /// Where the stream is; valid until the next insertion or removal. Nil if it is not open.
    @inline(__always)
    func place(of id: UInt32) -> Int? {
        guard count > 0 else { return nil }
        let home = home(of: id)
        if ids[home] == id { return home }
        return others.isEmpty ? nil : others.firstIndex { $0.id == id }.map { $0 + ids.count }
    }

    /// The value at a place that ``place(of:)`` or ``insert(_:_:)`` gave.
    subscript(place: Int) -> Value {
        @inline(__always)
        _read {
            if place < ids.count { yield values[place] } else { yield others[place - ids.count].value }
        }
        @inline(__always)
        _modify {
            if place < ids.count { yield &values[place] } else { yield &others[place - ids.count].value }
        }
    }

    /// Adds a stream that is not in the table yet.
    @discardableResult
    @inline(__always)
    mutating func insert(_ id: UInt32, _ value: consuming Value) -> Int {
        if (count + 1) * 2 > ids.count { grow() }
        count += 1
        let home = home(of: id)
        guard ids[home] == 0 else {
            others.append((id, value))
            return ids.count + others.count - 1
        }
        ids[home] = id
        values[home] = value
        return home
    }

    /// Forgets a stream. What its value holds on to has to be taken out before; the place keeps the rest until it is used
    /// again.
    @inline(__always)
    mutating func remove(at place: Int) {
        count -= 1
        if place < ids.count { ids[place] = 0 } else { others.remove(at: place - ids.count) }
    }

    /// The ids of all open streams, in the order in which they were opened.
    var openIDs: [UInt32] { (ids.filter { $0 != 0 } + others.map(\.id)).sorted() }

    /// Changes all streams, in no particular order.
    mutating func changeAll<Failure>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) {
        for place in ids.indices where ids[place] != 0 { try body(&values[place]) }
        for place in others.indices { try body(&others[place].value) }
    }

    /// Gives the memory of a busy hour back.
    mutating func shrinkIfEmpty() {
        guard count == 0, ids.count > 64 else { return }
        ids = []
        values = []
    }

    private mutating func grow() {
        let old = zip(ids, values).filter { $0.0 != 0 } + others.map { ($0.id, $0.value) }
        let size = max(16, ids.count * 2)
        ids = Array(repeating: 0, count: size)
        values = Array(repeating: vacant, count: size)
        others = []
        count = 0
        for (id, value) in old { insert(id, value) }
    }
}
