package import NIOHTTP1

extension HTTPParserError {
    /// The reason why the other end does not speak HTTP/1.1, in words; the parser has none for some errors.
    package var words: String {
        switch self {
        case .unknown: "a line without CR LF at its end, or a Transfer-Encoding other than chunked"
        case .invalidConstant: "'HTTP/1.1' is not where it must be; one end may speak TLS"
        case .paused: "it is HTTP/2, which this end does not speak"
        default: debugDescription
        }
    }
}
