/// A frame that the other end should not have sent.
public struct LinkFrameError: Error, Equatable, CustomStringConvertible {
    public var description: String

    package init(_ description: String) { self.description = description }
}
