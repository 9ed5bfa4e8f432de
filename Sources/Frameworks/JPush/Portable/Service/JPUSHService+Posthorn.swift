#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
import PosthornClient

// Posthorn's own additions.
extension JPUSHService {
    /// Sets the address of the service, such as `https://push.example.com`, in place of the Info.plist's. It comes before all other calls.
    public class func setService(_ url: URL) { Surroundings.service = url }

    /// Sends receipts that wait when the app leaves the screen, and by a background task, in an app that lists `posthorn.refresh` in its
    /// Info.plist, under `BGTaskSchedulerPermittedIdentifiers`, and has the background mode `fetch`. Call it before
    /// `application(_:didFinishLaunchingWithOptions:)` returns: iOS ends an app that does so later. No effect on an emulated phone.
    public class func sendInBackground() { client.sendInBackground() }

    /// Unregisters the device: the service deletes it. `setup` in a later process registers it anew.
    public class func unregister(_ completion: (() -> Void)!) {
        let core = client
        let completion = Boxed(completion)
        core.client.unregister { core.onMain { completion.value?() } }
    }

    /// Asks the service why the user gets nothing: it sends a test push to this device. The completion gets the cause, such as `well` or
    /// `permission`, and a sentence for the user in the device's language; lines after the first are for the developer.
    public class func diagnose(_ completion: ((_ cause: String, _ sentence: String) -> Void)!) {
        let core = client
        let completion = Boxed(completion)
        core.client.diagnose { result in
            core.onMain {
                switch result {
                case .success(let found):
                    completion.value?(found.cause, ([found.sentence] + found.notes).joined(separator: "\n"))
                case .failure(let error):
                    let isRegistered = error.code != PosthornError.notRegistered
                    completion.value?(isRegistered ? "unreachable" : "not_registered", error.message)
                }
            }
        }
    }
}

#endif
