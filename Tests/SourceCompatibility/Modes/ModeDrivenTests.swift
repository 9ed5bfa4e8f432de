import CoreLocation
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import TestSupport
import Testing
import UIKit

/// The cases that the other suites drive in one language mode only, in the other one.
@Suite("Sources in the other language mode, driven")
@MainActor
struct ModeDrivenTests {
    private static let reader: InstalledApp = {
        var app = InstalledApp(
            bundleID: "com.example.reader",
            backgroundModes: ["fetch"],
            info: [
                "LSApplicationQueriesSchemes": ["shopapp"],
                "UIApplicationShortcutItems": [
                    ["UIApplicationShortcutItemType": "search", "UIApplicationShortcutItemTitle": "Search"]
                ],
            ]
        )
        app.associatedDomains = ["applinks:reader.example.com"]
        return app
    }()
    private let app = InstalledApp(
        bundleID: "com.example.modes",
        info: [
            "NSLocationWhenInUseUsageDescription": "To find shops.",
            "NSLocationTemporaryUsageDescriptionDictionary": ["Diary": "To write down where you were."],
        ]
    )
    private let home = Coordinate(latitude: 52.50, longitude: 13.40)
    private let park = Coordinate(latitude: 52.51, longitude: 13.40)

    private func inside<Result>(
        _ phone: TestPhone,
        _ app: InstalledApp,
        _ body: @MainActor () -> Result
    ) throws -> Result {
        let result = phone.device.inside(app.bundleID, body)
        return try #require(result)
    }

    private func readerPhone(_ profile: SystemProfile = .iOS(17)) async throws -> (TestPhone, ReaderApp) {
        let phone = TestPhone(profile)
        phone.install(Self.reader) { ReaderApp() }
        await phone.open(Self.reader)
        return (phone, try #require(phone.device.delegate(of: Self.reader.bundleID, as: ReaderApp.self)))
    }

    // MARK: Swift 6

    @Test("Swift 6 mode: an app without scenes gets links, quick actions, fetches, sessions and warnings")
    func reader() async throws {
        let (phone, delegate) = try await readerPhone()
        await phone.openURL(try #require(URL(string: "https://reader.example.com/books/7")))
        await phone.chooseShortcut("search", of: Self.reader)
        await phone.warnOfMemory()
        await phone.background(Self.reader)
        await phone.fetchInBackground(Self.reader)
        await phone.finishBackgroundSession("covers", of: Self.reader)
        #expect(
            delegate.log == ["continue /books/7", "perform Search", "memory", "fetch", "session covers"]
        )
        #expect(delegate.screen.restored == ["/books/7"])
        #expect(delegate.screen.log == ["appeared", "memory"])
    }

    @Test("Swift 6 mode: windows, the spellings of iOS 9 for links, and a controller above another one")
    func readerWindows() async throws {
        let (phone, delegate) = try await readerPhone()
        let root = delegate.window?.rootViewController
        #expect(try inside(phone, Self.reader) { delegate.roots() } == [root, root, root])
        let mask = try inside(phone, Self.reader) { UIApplication.shared.supportedInterfaceOrientations(for: nil) }
        #expect(mask == .portrait)
        try inside(phone, Self.reader) { delegate.screen.visitSettings() }
        #expect(delegate.screen.log == ["appeared", "presented", "appeared", "dismissed"])
        #expect(try inside(phone, Self.reader) { delegate.reminder().sound } == .default)
        #expect(try inside(phone, Self.reader) { delegate.openShop() } == [false, true])
        await phone.device.settled()
        #expect(phone.device.screen.front == nil)
    }

    @Test("Swift 6 mode: an alert view and its delegate")
    func readerAlert() async throws {
        let (phone, delegate) = try await readerPhone(.iOS(9))
        try inside(phone, Self.reader) { delegate.ask() }
        #expect(phone.alert?.buttons == ["Later", "Update"])
        try await phone.tapAlertButton("Update")
        #expect(delegate.log == ["clicked Update"])
    }

    // MARK: Swift 5

    private func trackerPhone() async throws -> (TestPhone, PlaceTracker) {
        let phone = TestPhone(.iOS(18))
        phone.install(app) { CurrentApp() }
        phone.device.setLocationAccess(of: app.bundleID, to: .always)
        await phone.move(to: home)
        await phone.open(app)
        let tracker = try inside(phone, app) { PlaceTracker() }
        return (phone, tracker)
    }

    @Test("Swift 5 mode: visits, regions and beacons")
    func tracker() async throws {
        let (phone, tracker) = try await trackerPhone()
        let shop = UUID()
        #expect(tracker.regionOfShop.identifier.isEmpty)
        try inside(phone, app) { tracker.begin(shop: shop, at: CLLocationCoordinate2D(park)) }
        await phone.device.settled()
        #expect(tracker.lines == ["not at the counter"])
        await phone.setBeacons([NearbyBeacon(uuid: shop, major: 3, minor: 8, distance: 1)])
        #expect(
            tracker.lines.dropFirst() == ["nearest 8", "1 at counter", "entered counter true", "at the counter"]
        )
        try inside(phone, app) { tracker.end() }
        await phone.setBeacons([NearbyBeacon(uuid: shop, major: 3, minor: 9, distance: 1)])
        #expect(tracker.lines.last == "nearest 9")
        await phone.advance(by: .seconds(300))
        #expect(tracker.lines.last == "arrived")
        await phone.move(to: park)
        #expect(tracker.lines.suffix(2) == ["entered shop false", "departed"])
        await phone.setLocationAccess(of: app, to: .denied)
        try inside(phone, app) { tracker.begin(shop: shop, at: CLLocationCoordinate2D(park)) }
        await phone.device.settled()
        #expect(tracker.lines.last == "no ranging at counter")
    }

    @Test("Swift 5 mode: precision in a completion handler, and the services of iOS 17 in tasks")
    func trackerServices() async throws {
        let (phone, tracker) = try await trackerPhone()
        await phone.setPreciseLocation(of: app, allowed: false)
        #expect(try inside(phone, app) { tracker.isPrecise } == false)
        let error = await phone.device.inside(app.bundleID) {
            await withCheckedContinuation { continuation in
                tracker.askForPrecision { continuation.resume(returning: $0?.localizedDescription) }
            }
        }
        #expect(error == .some(nil))
        #expect(try inside(phone, app) { tracker.isPrecise })
        let center = CLLocationCoordinate2D(park)
        let words = try await phone.device.inside(app.bundleID) {
            try await tracker.next(at: center) { [park] in await phone.move(to: park) }
        }
        #expect(words == ["Park true", "at 52.51"])
    }

    private func catalogue() async throws -> (TestPhone, CatalogueSceneDelegate, CatalogueViewController) {
        let phone = TestPhone()
        phone.install(app) { CatalogueApp() }
        await phone.open(app)
        let scene = try inside(phone, app) {
            UIApplication.shared.connectedScenes.first?.delegate as? CatalogueSceneDelegate
        }
        let delegate = try #require(scene)
        let tabs = try #require(delegate.window?.rootViewController as? UITabBarController)
        let list = (tabs.viewControllers?.first as? UINavigationController)?.topViewController
        return (phone, delegate, try #require(list as? CatalogueViewController))
    }

    @Test("Swift 5 mode: a scene's delegate that derives from NSObject, tabs, a list and a question")
    func list() async throws {
        let (phone, delegate, list) = try await catalogue()
        #expect(delegate.log == ["connected", "active"])
        #expect(list.log == ["loaded", "will appear"])
        #expect(try inside(phone, app) { UIApplication.shared.supportedInterfaceOrientations(for: nil) } == .portrait)
        #expect(list.tableView.cellForRow(at: IndexPath(row: 1, section: 0))?.textLabel?.text == "Coffee")
        try inside(phone, app) { list.askToRemove("Tea") }
        try await phone.tapAlertButton("Remove")
        #expect(list.items == ["Coffee"] && list.tableView.numberOfRows(inSection: 0) == 1)
        await phone.warnOfMemory()
        #expect(list.log.last == "memory")
        await phone.background(app)
        #expect(delegate.log.last == "background")
    }

    @Test("Swift 5 mode: a page with a label, a picture, a field and a button, and a form above it")
    func page() async throws {
        let (phone, _, list) = try await catalogue()
        try inside(phone, app) { list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 0, section: 0)) }
        let page = try #require(list.navigationController?.topViewController as? ItemViewController)
        #expect(page.nameLabel.text == "Tea" && page.noteField.placeholder == "Note" && page.picture.image == nil)
        #expect(page.picture.gestureRecognizers?.count == 1 && page.view.subviews.count == 4)
        try inside(phone, app) { page.button.sendActions(for: .touchUpInside) }
        let form = try #require(page.form)
        #expect(form.log == ["appeared"])
        try inside(phone, app) { form.onDone?() }
        #expect(form.log == ["appeared", "disappeared true"] && page.nameLabel.text == "Ordered")
    }
}
