public import Foundation

/// A value of an app's own `userInfo`, as stored between scheduling and delivery.
///
/// It distinguishes the types of a property list; values that cannot be encoded are excluded.
public indirect enum InfoValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case url(URL)
    case uuid(UUID)
    case array([InfoValue])
    case dictionary([InfoValue: InfoValue])
}
