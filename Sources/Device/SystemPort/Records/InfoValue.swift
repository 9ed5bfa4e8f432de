public import Foundation

/// A value of an app's own `userInfo`, as stored between scheduling and delivery.
///
/// It distinguishes the types of a property list; values that cannot be encoded are excluded.
public indirect enum InfoValue: Hashable, Sendable, Codable {
    /// No value.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case double(Double)
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A date.
    case date(Date)
    /// A URL.
    case url(URL)
    /// A UUID.
    case uuid(UUID)
    /// Values in order.
    case array([InfoValue])
    /// Values by key.
    case dictionary([InfoValue: InfoValue])
}
