/// The program was not found, has ended or has refused a request, or what a test waited for did not happen.
///
/// The description says what happened instead.
public struct PosthornError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
