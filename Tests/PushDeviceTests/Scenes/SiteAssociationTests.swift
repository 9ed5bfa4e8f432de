import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

@Suite("Site associations")
@MainActor
struct SiteAssociationTests {
    private static func file(_ detail: JSONObject) -> JSONObject {
        ["applinks": ["details": [.object(detail)]]]
    }

    /// Whether a phone opens links of `shop.example.com` in the app.
    private func opened(_ links: [String], by association: SiteAssociation) async throws -> [Bool] {
        let phone = TestPhone()
        var app = InstalledApp(bundleID: "com.example.shop")
        app.associatedDomains = ["applinks:shop.example.com"]
        app.siteAssociations = ["shop.example.com": association]
        phone.install(app) { BrowsingApp() }
        var opened: [Bool] = []
        for link in links {
            let url = try #require(URL(string: "https://shop.example.com" + link))
            await phone.openURL(url)
            opened.append(phone.device.screen.front == app.bundleID)
            await phone.background(app)
        }
        return opened
    }

    @Test("The first component that matches decides: path, query and fragment, and what is excluded")
    func components() async throws {
        let association = try SiteAssociation(
            Self.file([
                "appIDs": ["ABCDE12345.com.example.shop", "ABCDE12345.com.example.other"],
                "components": [
                    ["/": "/buy/help/*", "exclude": true], ["/": "/buy/*"], ["/": "/SALE/?", "caseSensitive": false],
                    ["/": "/find", "?": ["q": "?*", "page": "*"]], ["#": "app"],
                ],
            ])
        )
        let links = [
            "/buy/tea", "/buy/help/tea", "/buy", "/sale/9", "/sale/10", "/find", "/find?q=tea", "/other#app", "/other",
            "",
        ]
        #expect(
            try await opened(links, by: association)
                == [true, false, false, true, false, false, true, true, false, false]
        )
    }

    @Test("The older form names paths; another app's entry does not count")
    func paths() async throws {
        let old = try SiteAssociation(
            Self.file(["appID": "ABCDE12345.com.example.shop", "paths": ["NOT /buy/help/*", "/buy/*", "/*/tea"]])
        )
        let links = ["/buy/tea", "/buy/help/tea", "/all/of/the/tea", "/coffee"]
        #expect(try await opened(links, by: old) == [true, false, true, false])
        let other = try SiteAssociation(
            Self.file(["appIDs": ["ABCDE12345.com.example.other"], "components": [["/": "*"]]])
        )
        #expect(try await opened(["/buy/tea"], by: other) == [false])
    }

    @Test("A phone says that an app claims other links of the host")
    func reason() async throws {
        let phone = TestPhone()
        var app = InstalledApp(bundleID: "com.example.shop")
        app.associatedDomains = ["applinks:*.example.com"]
        app.siteAssociations = [
            "*.example.com": try SiteAssociation(Self.file(["appIDs": [], "components": [["/": "/buy/*"]]]))
        ]
        phone.install(app) { BrowsingApp() }
        await phone.openURL(try #require(URL(string: "https://a.example.com/help")))
        let changes = phone.device.recentDeviceEvents.compactMap { event in
            if case .changed(let words) = event.kind { words } else { nil }
        }
        #expect(
            changes.last
                == "opened https://a.example.com/help in the browser: no app on the device claims a.example.com/help"
        )
    }

    @Test(
        "A mistake is named",
        arguments: [
            ([:], "'applinks' of the apple-app-site-association is not an object."),
            (["applinks": ["details": 1]], "'applinks.details' of the apple-app-site-association is not an array."),
            (
                ["applinks": ["details": [1]]],
                "'applinks.details[0]' of the apple-app-site-association is not an object."
            ),
            (
                ["applinks": ["details": [["appIDs": []]]]],
                "'applinks.details[0].components' of the apple-app-site-association is not "
                    + "an array, and there are no 'paths'."
            ),
            (
                ["applinks": ["details": [["components": ["/buy/*"]]]]],
                "'applinks.details[0].components[0]' of the apple-app-site-association is not an object."
            ),
        ] as [(JSONObject, String)]
    )
    func mistakes(_ file: JSONObject, _ text: String) {
        let problem = #expect(throws: SiteAssociationProblem.self) { try SiteAssociation(file) }
        #expect(problem?.description == text)
    }
}

private final class BrowsingApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { userActivity.webpageURL != nil }
}
