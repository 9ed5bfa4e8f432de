/// An array in pieces of 1,024 values: growing moves none of them, and a change while a reader holds a copy of the array copies one
/// piece.
struct Pieces<Value: Sendable>: RandomAccessCollection, Sendable {
    private static var size: Int { 1024 }

    /// The pieces, all full but the last.
    private var pieces: ContiguousArray<ContiguousArray<Value>> = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(place: Int) -> Value {
        get { pieces[place / Self.size][place % Self.size] }
        set { pieces[place / Self.size][place % Self.size] = newValue }
        _modify { yield &pieces[place / Self.size][place % Self.size] }
    }

    mutating func append(_ value: Value) {
        if count % Self.size == 0 { pieces.append([]) }
        pieces[count / Self.size].append(value)
        count += 1
    }
}
