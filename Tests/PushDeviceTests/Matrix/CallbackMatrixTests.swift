import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

@Suite("Callback matrix: states that its columns leave open")
@MainActor
struct CallbackMatrixTests {
    @Test("R10-X-1: nothing is shown, listed or asked without permission", arguments: [true, false])
    func noPermission(denied: Bool) async {
        let phone = await TestPhone(prompts: denied ? .deny : .ask).opening { RecordingApp() }
        let start = phone.device.recentDeviceEvents.count
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.device.callbacks(from: start) == [])
        #expect(phone.device.screen.list.isEmpty)
        let reason: SuppressionReason = denied ? .permissionDenied : .permissionNotDetermined
        #expect(phone.journeys.kinds(of: push) == [.suppressed(reason)])
    }

    @Test("The app reads the state that the matrix names")
    func applicationState() async {
        let phone = await TestPhone().opening { RecordingApp() }
        await phone.background(.lab)
        await phone.push(.alertAndContent, to: .lab)
        await phone.open(.lab)
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: RecordingApp.self)
        // It asks for permission at the launch, so it resigns and becomes active twice.
        let launch: [UIApplication.State] = [.inactive, .active, .active, .active]
        #expect(app?.states == launch + [.active, .background, .background, .background, .active])
    }
}
