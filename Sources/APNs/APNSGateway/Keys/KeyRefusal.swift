/// The reason why a key cannot be made.
package struct KeyRefusal: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
