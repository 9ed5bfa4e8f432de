import AppInstallation
package import DeviceLink
import Foundation
import JPush
package import PushClock
package import PushDevice
import PushLab
import PushLabNotificationContent
import PushLabNotificationService
package import PushModel
import PushService
import UIKit

/// An emulated iPhone with the sample app.
package struct PushLabPhone: Sendable {
    package let device: PushDevice.Device
    package let bundleID: String
    package let clock: any CivilClock
    /// The lines of the app's callback log, for one reader: the newest that it has not read.
    let logLines: AsyncStream<String>
    /// The folder for the app's downloads; created with the first file, removed by ``switchOff()``.
    private let folder: URL

    /// The content of the app's Info.plist, apart from its name and ``backgroundModes``.
    package static let info: JSONObject = [
        "NSLocationWhenInUseUsageDescription": "Reminders at a place", "NSSupportsLiveActivities": true,
        "CFBundleURLTypes": [["CFBundleURLSchemes": [.string(DeepLink.scheme)]]],
        "UIApplicationSceneManifest": [
            "UIApplicationSupportsMultipleScenes": false,
            "UISceneConfigurations": [
                "UIWindowSceneSessionRoleApplication": [
                    [
                        "UISceneConfigurationName": "Default Configuration",
                        "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).SceneDelegate",
                    ]
                ]
            ],
        ], "UIApplicationShortcutItems": [shortcut("reminders", "Reminders"), shortcut("settings", "Settings")],
    ]

    /// A quick action of the app's icon, which opens a page.
    private static func shortcut(_ page: String, _ title: String) -> JSONValue {
        [
            "UIApplicationShortcutItemType": .string(page), "UIApplicationShortcutItemTitle": .string(title),
            "UIApplicationShortcutItemUserInfo": [DeepLink.key: .string("\(DeepLink.scheme)://\(page)")],
        ]
    }

    /// The `UIBackgroundModes` of the app's Info.plist.
    package static let backgroundModes = ["remote-notification", "voip"]

    /// The content of the Info.plist of the app's content extension.
    package static let contentInfo: ContentExtensionInfo = {
        var info = ContentExtensionInfo(categories: ["offer"], initialContentSizeRatio: 0.5)
        info.overridesDefaultTitle = true
        return info
    }()

    /// Installs the app without starting it.
    ///
    /// `appKey` is the app's key at the push service. `environment` is the app's build; ignored if there is a profile,
    /// which determines it. `link` is the URL of the service's SDK link. `profile` is the provisioning profile of the
    /// app; not checked if nil. `network` is the app's network. `udid` is the phone's UDID in provisioning profiles;
    /// random by default.
    /// - Throws: the reason why the profile does not allow the app on the phone.
    package init(
        name: String,
        system: String = "17.0",
        appKey: String,
        bundleID: String,
        environment: APNSEnvironment,
        link: String,
        clock: any CivilClock,
        dialer: any LinkDialer,
        network: PhoneNetwork = PhoneNetwork(),
        profile: ProvisioningProfile? = nil,
        udid: String? = nil
    ) throws(ProvisioningProfile.Refusal) {
        self.bundleID = bundleID
        self.clock = clock
        device = PushDevice.Device(
            name: name,
            system: system,
            clock: clock,
            dialer: dialer,
            // The device reports its journeys over the courier link; nothing reads them here.
            journeys: JourneyRelay(),
            udid: udid
        )
        var app = InstalledApp(
            bundleID: bundleID,
            name: "PushLab",
            environment: environment,
            backgroundModes: Self.backgroundModes,
            link: link,
            info: Self.info
        )
        if let profile { app = try device.provision(app, by: profile) }
        folder = FileManager.default.temporaryDirectory.appending(path: "PushLab-\(device.id)")
        let (logLines, newLine) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(100))
        self.logLines = logLines
        let settings = PushLabSettings(
            appKey: appKey,
            isProduction: app.environment == .production,
            folder: folder,
            fetch: network.fetch,
            now: { clock.date },
            echo: { newLine.yield($0) }
        )
        // Without a key, a sealed body shows its placeholder.
        let serviceSettings = ServiceSettings(bodyKey: nil, fetch: network.fetch)
        let content = ContentExtension(info: Self.contentInfo) { OfferViewController() }
        device.install(
            app,
            serviceExtension: { NotificationService(settings: serviceSettings) },
            contentExtensions: [content]
        ) {
            // Its lines would come between those of the commands and servers in which the phone runs.
            JPUSHService.setLogOFF()
            return AppDelegate(settings: settings)
        }
    }

    /// Switches the phone off permanently.
    package func switchOff() {
        device.shutdown()
        // There is no folder if nothing was downloaded.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The user's replies to the app's notifications, oldest first.
    @MainActor
    package var replies: [String] { device.delegate(of: bundleID, as: AppDelegate.self)?.replies ?? [] }

    /// Waits for the app's registration id and returns it. The app must have been opened.
    ///
    /// - Throws: ``RegistrationProblem`` when the service refuses the app.
    package func registrationID() async throws -> RegistrationID {
        await device.settled()
        let announcement = Announcement<RegistrationID>()
        let runs: Void? = await device.inside(bundleID) {
            JPUSHService.registrationIDCompletionHandler { code, text in
                if code == 0, let id = text.flatMap(RegistrationID.init) {
                    announcement.make(.success(id))
                } else {
                    announcement.make(.failure(RegistrationProblem(code: Int(code))))
                }
            }
        }
        guard runs != nil else { throw RegistrationProblem(code: nil) }
        return try await announcement.value
    }

    /// Waits until the service has handled the requests that the app has made so far, or until their link has failed.
    ///
    /// The service answers the requests of a link in order, so the answer to one more request comes after theirs.
    package func awaitService() async {
        await device.settled()
        let answer = Announcement<Void>()
        let runs: Void? = await device.inside(bundleID) {
            JPUSHService.getAlias({ _, _, _ in answer.make(.success(())) }, seq: 3)
        }
        guard runs != nil else { return }
        // It never fails: a request without an answer has a code of its own.
        try? await answer.value
    }

    /// Sets the app's tags and alias, as its own code would.
    ///
    /// - Throws: ``RegistrationProblem`` with the result code of the SDK.
    package func set(tags: Set<String>, alias: String?) async throws {
        let results = [Announcement<Int>(), Announcement<Int>()]
        _ = await device.inside(bundleID) {
            JPUSHService.setTags(tags, completion: { code, _, _ in results[0].make(.success(code)) }, seq: 1)
        }
        if !tags.isEmpty, case let code = try await results[0].value, code != 0 {
            throw RegistrationProblem(code: code)
        }
        guard let alias else { return }
        _ = await device.inside(bundleID) {
            JPUSHService.setAlias(alias, completion: { code, _, _ in results[1].make(.success(code)) }, seq: 2)
        }
        if case let code = try await results[1].value, code != 0 { throw RegistrationProblem(code: code) }
    }
}

/// The error for a request of the app that the push service refused.
package struct RegistrationProblem: Error, CustomStringConvertible {
    /// A result code of the JPush SDK; nil if the app does not run.
    package var code: Int?

    package var description: String {
        switch code {
        case nil: "the app does not run"
        case 1005: "the app key is not known to the service (1005)"
        case 1008: "the app key is malformed (1008)"
        case 1009: "the app key belongs to another bundle id (1009)"
        case 6003, 6004: "the alias contains an invalid character, or more than 40 bytes (\(code ?? 0))"
        case 6005, 6006: "a tag contains an invalid character, or more than 40 bytes (\(code ?? 0))"
        case 6027: "ten devices have this alias already (6027)"
        case .some(let code): "the SDK says \(code)"
        }
    }
}
