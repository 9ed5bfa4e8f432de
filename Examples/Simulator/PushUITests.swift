import XCTest

/// A UI test that waits for a push: the backend sends it to an APNs that hands it to this Simulator.
final class PushUITests: XCTestCase {
    @MainActor
    func testAReadyOrderIsAnnouncedAndOpened() async throws {
        let app = XCUIApplication()
        app.launch()
        // Allow the notifications, then leave the app.
        let springboard = XCUIApplication(bundleIdentifier: "com.apple.springboard")
        let allow = springboard.buttons["Allow"]
        if allow.waitForExistence(timeout: 5) { allow.tap() }
        XCUIDevice.shared.press(.home)

        // The backend of the test sends a push for the order.
        var request = URLRequest(url: URL(string: "http://localhost:3000/orders/7/ready")!)
        request.httpMethod = "POST"
        let (_, response) = try await URLSession.shared.data(for: request)
        XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)

        let banner = springboard.otherElements["NotificationShortLookView"]
        XCTAssertTrue(banner.waitForExistence(timeout: 10))
        banner.tap()
        XCTAssertTrue(app.staticTexts["Order 7"].waitForExistence(timeout: 10))
    }
}
