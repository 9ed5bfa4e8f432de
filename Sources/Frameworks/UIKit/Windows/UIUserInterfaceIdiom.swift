/// The kind of device. Raw values: Apple, `UIUserInterfaceIdiom`; the emulated device is a phone.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Not said.
    case unspecified = -1
    /// An iPhone, as the emulated device is; an iPad, an Apple TV, and a car.
    case phone, pad, tv, carPlay
    /// A Mac, and an Apple Vision.
    case mac = 5
    case vision
}

extension UIDevice {
    /// The kind of device: a phone.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
}
