package import PostgresClient

extension PostgresValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .int64(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}
