import Dispatch
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import UIKit

extension LocalStage {
    /// Runs `body` as code of the app.
    func app<Result: Sendable>(
        _ body: @MainActor (UNUserNotificationCenter) async throws -> Result
    ) async rethrows -> Result? {
        try await phone.inCentre(body)
    }

    /// The identifiers that the app reads back from the notification centre.
    func delivered() async -> [String] {
        await app { await $0.deliveredNotifications().map(\.request.identifier) } ?? []
    }

    /// As a person's acts name it.
    func id(_ identifier: String) -> String { phone.local(identifier, of: .lab) }

    var badge: Int { phone.device.screen.badges[InstalledApp.lab.bundleID] ?? 0 }

    /// Names of the sounds that were played; nil is the system's own.
    var sounds: [String?] {
        phone.device.recentDeviceEvents.compactMap { deviceEvent in
            if case .soundPlayed(let name) = deviceEvent.kind { .some(name) } else { nil }
        }
    }
}

/// Whether code runs on the main queue. In a test's process another thread than the first may serve that queue, so
/// `Thread.isMainThread` tells nothing there.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// The code of the `UNError` with which `body` fails; nil if it does not.
@MainActor
func errorCode(_ body: @MainActor () async throws -> Void) async -> UNError.Code? {
    do { try await body() } catch { return (error as? UNError)?.code }
    return nil
}

extension JSONValue {
    /// A payload with text, and these keys of `aps` beside it.
    static func texted(_ aps: JSONObject) -> JSONValue {
        var aps = aps
        if aps["alert"] == nil { aps["alert"] = ["title": "Ann", "body": "Hello"] }
        return ["aps": .object(aps)]
    }
}
