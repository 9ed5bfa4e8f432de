/// The content of a Live Activity: the type's own properties do not change, those of its `ContentState` do.
@available(iOS 16.1, *)
public protocol ActivityAttributes: Decodable, Encodable {
    /// The content that changes. With the attributes it has at most 4 KB of JSON.
    associatedtype ContentState: Decodable, Encodable, Hashable
}
