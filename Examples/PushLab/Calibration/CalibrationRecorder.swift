import Foundation
import UIKit
import UserNotifications

/// A recording of what iOS tells the app in rows of the callback matrix, as a file of the format `posthorn-run`.
///
/// It is kept on the disk, because some rows end the app. It has no token, id, address or text of a notification.
@MainActor
public final class CalibrationRecorder {
    private struct Entry: Codable {
        var date = Date()
        var event: String
        var detail: String
        var state: String?
        var number: Int?
    }

    /// The callbacks that the matrix has, other than those of the notification centre.
    private static let methods: Set = [
        "application(_:didFinishLaunchingWithOptions:)", "applicationWillEnterForeground(_:)",
        "applicationDidBecomeActive(_:)", "applicationWillResignActive(_:)", "applicationDidEnterBackground(_:)",
        "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", "application(_:didReceive:)",
        "scene(_:willConnectTo:options:)", "sceneWillEnterForeground(_:)", "sceneDidBecomeActive(_:)",
        "sceneWillResignActive(_:)", "sceneDidEnterBackground(_:)", "sceneDidDisconnect(_:)",
    ]
    /// The methods of the service extension, in the order of its calls.
    private static let extensionMethods = [
        "UNNotificationServiceExtension.didReceive(_:withContentHandler:)",
        "UNNotificationServiceExtension.serviceExtensionTimeWillExpire()",
    ]

    /// The name of the row that is being recorded.
    public private(set) var current: String?
    /// The names of the recorded rows.
    public private(set) var recorded: Set<String> = []
    private var entries: [Entry]
    private let file: URL

    /// Continues the recording in a folder. The folder need not exist.
    init(in folder: URL) {
        file = folder.appendingPathComponent("calibration.json")
        entries = (try? JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))) ?? []
        for entry in entries { follow(entry) }
    }

    /// Begins a row. A recording of it that exists is replaced.
    func begin(_ step: CalibrationStep) throws {
        add(Entry(event: "row", detail: step.name))
        try save()
    }

    func end() throws {
        guard let current else { return }
        add(Entry(event: "rowEnded", detail: current))
        try save()
    }

    func removeAll() throws {
        (entries, current, recorded) = ([], nil, [])
        try save()
    }

    private func add(_ entry: Entry) {
        entries.append(entry)
        follow(entry)
    }

    private func follow(_ entry: Entry) {
        if entry.event == "row" { current = entry.detail }
        guard entry.event == "rowEnded" else { return }
        recorded.insert(entry.detail)
        current = nil
    }

    private func save() throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(entries).write(to: file, options: .atomic)
    }

    // MARK: Recording

    /// Records a callback, unless it is none of the matrix or no row is being recorded.
    ///
    /// JPush is the delegate of the notification centre and passes its calls on: the recording has the names of the centre's methods.
    func add(callback name: String, in state: String) {
        let method = name.replacingOccurrences(of: "jpushNotificationCenter(", with: "userNotificationCenter(")
        let isOfCentre = ["willPresent", "didReceive"].contains { method.hasPrefix("userNotificationCenter(_:\($0):") }
        guard isOfCentre || Self.methods.contains(method) else { return }
        add("callback", method, in: state)
    }

    func add(_ options: [UIApplication.LaunchOptionsKey: Any]?) {
        let words =
            switch options {
            case nil: "nil"
            case let options? where options[.remoteNotification] != nil: "[.remoteNotification: userInfo]"
            case let options? where options[.localNotification] != nil: "[.localNotification: UILocalNotification]"
            default: "other"
            }
        add("launchOptions", words)
    }

    func add(_ options: UIScene.ConnectionOptions) {
        let words =
            if options.notificationResponse != nil {
                "notificationResponse"
            } else if options.shortcutItem != nil {
                "shortcutItem"
            } else {
                options.urlContexts.isEmpty ? "nothing" : "urlContexts"
            }
        add("connectionOptions", words)
    }

    func add(_ response: UNNotificationResponse) {
        let words =
            switch response.actionIdentifier {
            case UNNotificationDefaultActionIdentifier: "default"
            case UNNotificationDismissActionIdentifier: "dismiss"
            default: response is UNTextInputNotificationResponse ? "action-id+userText" : "action-id"
            }
        add("response", words)
        add(response.notification)
    }

    /// Records the calls of the service extension, which notes their times in the notification.
    func add(_ notification: UNNotification) {
        let times = notification.request.content.userInfo[CalibrationStep.extensionKey] as? [Double] ?? []
        guard current != nil, !times.isEmpty else { return }
        for (method, time) in zip(Self.extensionMethods, times) {
            let date = Date(timeIntervalSinceReferenceDate: time)
            guard !entries.contains(where: { $0.detail == method && $0.date == date }) else { continue }
            // The app learns of it after calls that were made later.
            let place = entries.firstIndex { $0.date > date } ?? entries.endIndex
            entries.insert(Entry(date: date, event: "callback", detail: method), at: place)
        }
        store()
    }

    private func add(_ event: String, _ detail: String, in state: String? = nil) {
        guard current != nil else { return }
        add(Entry(event: event, detail: detail, state: state))
        store()
    }

    private func store() {
        // A row whose callbacks cannot be kept lacks them in the recording; there is nobody to tell in the background.
        try? save()
    }

    // MARK: The file

    private struct Run: Encodable {
        var format = "posthorn-run"
        var version = 1
        var phone = "iPhone"
        var system: String
        var start: Start
        var entries: [Entry]
    }

    /// The phone's state before the first entry: an app cannot see it, so all but version and date are default values.
    private struct Start: Encodable {
        var version = 1
        var name = "iPhone"
        var system: String
        var date: Date
        var timeZone = "GMT"
        var language = "en"
        var isLocked = false
        var isConnected = true
        var isLowPower = false
        var list: [String] = []
        var calls: [String] = []
        var groups: [String] = []
        var upcoming: [String] = []
        var summaryTimes: [String] = []
        var badges: [String: Int] = [:]
        var apps: [String] = []
    }

    /// The recording for `posthorn calibrate phone`.
    public func run() throws -> Data {
        let system = UIDevice.current.systemVersion
        var numbered = entries
        for index in numbered.indices { numbered[index].number = index + 1 }
        let start = Start(system: system, date: entries.first?.date ?? Date())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(Run(system: system, start: start, entries: numbered))
    }
}
