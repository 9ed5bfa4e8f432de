import Foundation
import SystemPort

/// The exceptions for interfaces in files, which Posthorn cannot read.
enum MissingNib {
    private static let remedy = """
        Posthorn reads no nibs and no storyboards: on Linux, create the controller or the view in code, for example within \
        #if os(Linux).
        """

    static func raise(_ name: String, in bundle: Bundle?) {
        let place = (bundle ?? .main).bundlePath
        RaisedException.raise("Could not load NIB in bundle: '\(place)' with name '\(name)'. \(remedy)")
    }

    @MainActor
    static func raise(segue identifier: String, of controller: UIViewController) {
        RaisedException.raise(
            "Receiver (<\(type(of: controller))>) has no segue with identifier '\(identifier)'. \(remedy)",
            name: "NSInvalidArgumentException"
        )
    }

    static func raise(storyboard: String, controller identifier: String?) {
        let controller =
            identifier.map { "the view controller with the identifier '\($0)'" } ?? "the initial view controller"
        RaisedException.raise(
            "Could not load \(controller) of the storyboard '\(storyboard)'. \(remedy)",
            name: "NSInvalidArgumentException"
        )
    }
}
