import DeviceLink
import JPush
import PosthornTesting
import PushModel
import Testing
import UIKit

@Suite("Tokens, places and pages through JPUSHService")
@MainActor
struct JPushTokenTests {
    private let token = Data([0xAB, 0xCD])
    private let model = DeviceToken(bytes: [0xAB, 0xCD])

    @Test("The VoIP token waits for the service, through a kill")
    func voip() async {
        let stage = await JPushStage()
        stage.inside { JPUSHService.registerVoipToken(token) }
        await stage.settle()
        await stage.relaunch()
        await stage.setUp()
        #expect(stage.service.requests == [.voipToken(model, .development)])
    }

    @Test("Tokens of Live Activities come back with their seq; nil is the end")
    func activities() async {
        let stage = await JPushStage()
        await stage.setUp()
        let answers: [String] = await stage.answer { done in
            JPUSHService.registerLiveActivity(
                "order",
                pushToken: token,
                completion: { code, id, data, seq in done(["\(code) \(id ?? "") \(data?.count ?? 0) \(seq)"]) },
                seq: 9
            )
        }
        #expect(answers == ["0 order 2 9"])
        let start: Int = await stage.answer { done in
            JPUSHService.registerLiveActivity(
                "OrderAttributes",
                pushToStartToken: token,
                completion: { code, _, _, _ in done(code) },
                seq: 1
            )
        }
        #expect(start == 0)
        stage.inside { JPUSHService.registerLiveActivity("order", pushToken: nil, completion: nil, seq: 2) }
        await stage.settle()
        #expect(
            stage.service.requests == [
                .activityToken(id: "order", model), .activityStartToken(type: "OrderAttributes", model),
                .activityToken(id: "order", nil),
            ]
        )
        let nameless: Int = await stage.answer { done in
            JPUSHService.registerLiveActivity(
                "",
                pushToken: token,
                completion: { code, _, _, _ in done(code) },
                seq: 3
            )
        }
        #expect(nameless == 6001)
    }

    @Test("More than 20 geofences are an error", arguments: [(0, true), (1, false), (20, false), (21, true)])
    func geofences(_ count: Int, _ isWrong: Bool) async {
        let stage = await JPushStage()
        stage.inside { JPUSHService.setGeofeneceMaxCount(count) }
        await stage.settle()
        #expect(stage.names.contains("ServiceError") == isWrong)
    }

    @Test("A geofence that is not known is told to the delegate, however it is spelt", arguments: [false, true])
    func unknownGeofence(_ isOld: Bool) async {
        let stage = await JPushStage()
        let delegate: any FenceDelegate = isOld ? OldFenceDelegate() : NewFenceDelegate()
        stage.inside {
            JPUSHService.registerLbsGeofenceDelegate(delegate, withLaunchOptions: nil)
            JPUSHService.removeGeofence(withIdentifier: "home")
        }
        await stage.settle()
        #expect(delegate.codes == [7001])
    }
}

@MainActor
private protocol FenceDelegate: JPUSHGeofenceDelegate {
    var codes: [Int] { get }
}

@MainActor
private final class OldFenceDelegate: NSObject, FenceDelegate, @preconcurrency JPUSHGeofenceDelegate {
    var codes: [Int] = []

    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]!, error: (any Error)!) {
        codes.append((error as NSError).code)
    }
}

@MainActor
private final class NewFenceDelegate: NSObject, FenceDelegate, @preconcurrency JPUSHGeofenceDelegate {
    var codes: [Int] = []

    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?) {
        codes.append((error as NSError?)?.code ?? 0)
    }
}
