public import Foundation

/// A value of an app's own `userInfo`, as it is kept between scheduling and delivery.
///
/// It keeps apart what a property list keeps apart; what cannot be coded has no place here.
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
