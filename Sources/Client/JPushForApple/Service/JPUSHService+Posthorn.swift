#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
// An app that imports this module, as on Linux, has the class for its service extension, too.
@_exported import JPushExtensionForApple
import PosthornClient

// Posthorn's own additions.
extension JPUSHService {
    /// Sets the address of the service, such as `https://push.example.com`, in place of the Info.plist's. Call it before `setup`.
    public class func setService(_ url: URL) { client.setService(url) }

    /// Unregisters the device: the service deletes it. `setup` in a later process registers it anew.
    public class func unregister(_ completion: (() -> Void)!) {
        let completion = MainCall(completion)
        client.withClient { client in client.unregister { completion.call { $0?() } } }
    }

    /// Asks the service why the user gets nothing: it sends a test push to this device. The completion gets the cause, such as `well` or
    /// `permission`, and a sentence for the user in the device's language.
    public class func diagnose(_ completion: ((_ cause: String, _ sentence: String) -> Void)!) {
        let completion = MainCall(completion)
        let answer: @Sendable (Result<Diagnosis, PosthornError>) -> Void = { result in
            switch result {
            case .success(let found): completion.call { $0?(found.cause, found.sentence) }
            case .failure(let error):
                let isRegistered = error.code != PosthornError.notRegistered
                completion.call { $0?(isRegistered ? "unreachable" : "not_registered", error.message) }
            }
        }
        client.withClient(answer) { $0.diagnose(completion: answer) }
    }
}

#endif
