import Testing
import UIKit

@Suite("App sources")
@MainActor
struct CompilesTests {
    @Test("The sources beside this file compile, and their delegates can be made")
    func compiles() {
        let apps: [any UIApplicationDelegate] = [CurrentApp(), CurrentJPushApp()]
        #expect(apps.count == 2)
    }
}
