extension Array {
    /// Returns the elements, and leaves none.
    package mutating func takeAll() -> Self {
        defer { self = [] }
        return self
    }
}
