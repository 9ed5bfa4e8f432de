/// A request to manage broadcast channels that is permitted and well-formed.
enum ChannelRequest: Hashable {
    case create(ChannelStorage)
    case read(String)
    case delete(String)
    case list
}
