package import PushModel

/// The device's position relative to a region.
public enum CLRegionState: Int, Sendable {
    /// The device does not know its location, or the app may not know it.
    case unknown = 0
    /// Within the border.
    case inside = 1
    /// Outside of the border.
    case outside = 2

    package init(_ state: RegionWatch.State) {
        switch state {
        case .unknown: self = .unknown
        case .inside: self = .inside
        case .outside: self = .outside
        }
    }
}
