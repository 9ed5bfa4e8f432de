import JPush
import PosthornTesting
import PushDevice
import SourceCompatibility5
import SystemPort
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.app")

@Suite("Methods of delegates that are never called")
@MainActor
struct UncalledMethodTests {
    private func phone(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async -> TestPhone {
        let phone = TestPhone(.iOS(17))
        phone.install(app, delegate: delegate)
        await phone.open(app)
        return phone
    }

    private func warnings(on phone: TestPhone) -> [String] {
        phone.runFile.entries.filter { $0.event == "warning" }.map(\.detail)
    }

    @Test("A method that only a subclass has is named, and what to do; an override is called")
    func subclass() async {
        let delegate = ShopAppDelegate()
        let phone = await phone { delegate }
        #expect(delegate.calls == ["didBecomeActive"])
        #expect(
            warnings(on: phone) == [
                """
                ShopAppDelegate.application(_:didFinishLaunchingWithOptions:) is never called: \
                BaseAppDelegate declares the conformance to UIApplicationDelegate, and without \
                Objective-C only its methods, and overrides of them, are found. Declare the method in \
                BaseAppDelegate too and override it here.
                """
            ]
        )
        #expect(phone.story.contains("ShopAppDelegate.application(_:didFinishLaunchingWithOptions:) is never called"))
    }

    @Test("A method with another type is named, with both types")
    func otherType() async {
        let phone = await phone { OldTypesAppDelegate() }
        #expect(
            Set(warnings(on: phone)) == [
                """
                OldTypesAppDelegate.application(_:didFinishLaunchingWithOptions:) is never called: \
                the parameter didFinishLaunchingWithOptions is Optional<Dictionary<String, Any>>, and \
                Optional<Dictionary<UIApplication.LaunchOptionsKey, Any>> in UIApplicationDelegate. Change the type.
                """,
                """
                OldTypesAppDelegate.applicationDidEnterBackground(_:) is never called: \
                the result is Bool, and Void in UIApplicationDelegate. Change the type.
                """,
            ]
        )
    }

    @Test("A method of Apple's that is not declared here, and misspelt ones, are named; helpers are not")
    func unknown() async {
        let phone = await phone { makeFarAppDelegate() }
        let warnings = warnings(on: phone)
        #expect(warnings.count == 3)
        #expect(
            warnings.contains {
                $0.contains(
                    "FarAppDelegate.application(_:shouldSaveApplicationState:) is never called: Posthorn's UIApplicationDelegate"
                )
            }
        )
        #expect(
            warnings.contains {
                $0.contains(
                    "application(_:didRecieveRemoteNotification:) is never called: UIApplicationDelegate has no"
                )
                    && $0.contains("If you mean application(_:didReceiveRemoteNotification:), correct the name")
            }
        )
        #expect(
            warnings.contains {
                $0.contains(
                    "If you mean userNotificationCenter(_:willPresent:withCompletionHandler:), correct the name"
                )
            }
        )
    }

    @Test("A delegate of JPush is looked at too")
    func vendor() {
        let warnings = DelegateCheck.warnings(about: OddPushDelegate.self)
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.contains("the parameter withCompletionHandler is Optional<(UInt) -> ()>") == true,
            "\(warnings)"
        )
    }

    @Test("A correct delegate gives no warning")
    func correct() async {
        let phone = await phone { CorrectDelegate() }
        #expect(warnings(on: phone).isEmpty)
        #expect(phone.device.screen.front == app.bundleID)
    }

    @Test("Each phone's story has the warning, at each launch of the app")
    func each() async {
        let phones = [await phone { OldTypesAppDelegate() }, await phone { OldTypesAppDelegate() }]
        #expect(phones.map { warnings(on: $0).count } == [2, 2])
        await phones[0].terminate(app)
        await phones[0].open(app)
        #expect(warnings(on: phones[0]).count == 4)
    }
}
