import DeviceLink
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing

@Suite("Rules of push types, priorities and expirations")
@MainActor
struct PushTypeRules {
    /// A phone whose app is in the background, with permission to notify.
    private func phone(_ major: Int = 17) async -> TestPhone {
        let phone = await TestPhone(.iOS(major)).opening { RecordingApp() }
        await phone.background(.lab)
        return phone
    }

    private static let fetch = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"

    @Test("A silent push of type alert does not wake the app, since iOS 13", arguments: [12, 13, 17])
    func silentTypedAlert(_ major: Int) async {
        let phone = await phone(major)
        let push = await phone.push(.silent, to: .lab, type: .alert, priority: 5)
        if major < 13 {
            #expect(phone.journeys.kinds(of: push).last == .finished(.newData))
        } else {
            #expect(phone.journeys.kinds(of: push) == [.suppressed(.silentAlertType)])
            let verdict = Verdict(phone.journeys.events(of: push))
            #expect(verdict.sentence.contains("send it with apns-push-type background and apns-priority 5"))
        }
    }

    @Test("An alert of type background is not shown, and its content-available wakes the app", arguments: [12, 13])
    func alertTypedBackground(_ major: Int) async {
        let phone = await phone(major)
        let push = await phone.push(.alertAndContent, to: .lab, type: .background)
        #expect(phone.journeys.callbacks(of: push) == ["\(Self.fetch)@background"])
        #expect(phone.device.screen.list.count == (major < 13 ? 1 : 0))
        #expect(phone.journeys.kinds(of: push).contains(.suppressed(.alertBackgroundType)) == (major >= 13))
        let alone = await phone.push(.alert, to: .lab, type: .background)
        #expect(phone.device.screen.list.count == (major < 13 ? 2 : 0))
        if major >= 13 { #expect(phone.journeys.kinds(of: alone) == [.suppressed(.alertBackgroundType)]) }
    }

    @Test("An alert of type background counts as a background wake", arguments: [12, 17])
    func alertTypedBackgroundCounts(_ major: Int) async {
        let phone = await phone(major)
        for _ in 1...3 { await phone.push(.alertAndContent, to: .lab, type: .background) }
        let push = await phone.push(.alertAndContent, to: .lab, type: .background)
        #expect(phone.journeys.kinds(of: push).contains(.suppressed(.budget)) == (major >= 13))
    }

    @Test("A background push of priority 10 does not wake the app, since iOS 13", arguments: [12, 13])
    func backgroundAtOnce(_ major: Int) async {
        let phone = await phone(major)
        let push = await phone.push(.silent, to: .lab, type: .background, priority: 10)
        let isWoken = phone.journeys.kinds(of: push).last == .finished(.newData)
        #expect(isWoken == (major < 13))
        if !isWoken { #expect(phone.journeys.kinds(of: push) == [.suppressed(.backgroundPriority)]) }
        let gentle = await phone.push(.silent, to: .lab, type: .background, priority: 1)
        #expect(phone.journeys.kinds(of: gentle).last == .finished(.newData))
    }

    /// Sends a push without a type, and returns its journey.
    private func untyped(_ payload: JSONValue, _ priority: Int, to phone: TestPhone) async -> [JourneyEvent.Kind] {
        let push = CourierPush(
            apnsID: UUID().uuidString.lowercased(),
            topic: InstalledApp.lab.bundleID,
            environment: .development,
            pushType: nil,
            priority: priority,
            collapseID: nil,
            payload: payload.bytes
        )
        phone.device.receive(push)
        await phone.device.settled()
        return phone.journeys.kinds(of: push.apnsID)
    }

    @Test(
        "NWPusher #74, push-relay #32: a silent push without a type wakes the app with priority 5, since iOS 13",
        arguments: [12, 13, 17]
    )
    func nwpusher74_untypedSilent(_ major: Int) async {
        let phone = await phone(major)
        #expect(await untyped(.silent, 5, to: phone).last == .finished(.newData))
        #expect(await untyped(.silent, 1, to: phone).last == .finished(.newData))
        // 10 is also the priority of a push that names none.
        let urgent = await untyped(.silent, 10, to: phone)
        if major < 13 {
            #expect(urgent.last == .finished(.newData))
        } else {
            #expect(urgent == [.suppressed(.backgroundPriority)])
        }
    }

    @Test("An alert without a type is shown, whatever its priority", arguments: [5, 10])
    func untypedAlert(_ priority: Int) async {
        let phone = await phone()
        #expect(await untyped(.alertAndContent, priority, to: phone).contains(.presented(.banner)))
        #expect(phone.device.screen.list.count == 1)
    }

    @Test("In front the app gets every push with content-available, whatever its type and priority")
    func inFront() async {
        let phone = await phone()
        await phone.open(.lab)
        for (type, priority) in [(APNSPushType.alert, APNSPriority.consideringPower), (.background, .immediately)] {
            let push = await phone.push(.silent, to: .lab, type: type, priority: priority)
            #expect(phone.journeys.callbacks(of: push) == ["\(Self.fetch)@active"])
        }
    }

    @Test("A push that the device holds until its expiration does not wake the app any more")
    func expiration() async {
        let phone = await phone()
        await phone.perform { $0.setLowPower(true) }
        let end = APNSExpiration.at(phone.clock.date.addingTimeInterval(600))
        let brief = await phone.push(.silent, to: .lab, expiration: end)
        await phone.advance(by: .seconds(599))
        #expect(phone.journeys.kinds(of: brief) == [.suppressed(.lowPower)])
        await phone.advance(by: .seconds(1))
        await phone.perform { $0.setLowPower(false) }
        await phone.advance(by: .seconds(1))
        #expect(phone.journeys.kinds(of: brief) == [.suppressed(.lowPower), .expired])
        let verdict = Verdict(phone.journeys.events(of: brief))
        #expect(verdict.state == .expired && verdict.sentence.contains("held the push until its expiration"))
        // Without one it waits.
        await phone.perform { $0.setLowPower(true) }
        let long = await phone.push(.silent, to: .lab)
        await phone.advance(by: .seconds(600))
        await phone.perform { $0.setLowPower(false) }
        await phone.advance(by: .seconds(1))
        #expect(phone.journeys.kinds(of: long).last == .finished(.newData))
    }

    @Test("A VoIP push before iOS 8 goes past the app's callbacks, and its journey says to where")
    func suffix() async {
        let phone = await phone(7)
        let begin = phone.device.callbacks().count
        let push = await phone.push(.alertAndContent, to: .lab, type: .voip)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.unsupportedType)])
        #expect(Verdict(phone.journeys.events(of: push)).sentence.contains("before iOS 8 it has no PushKit"))
        #expect(phone.device.callbacks().count == begin && phone.device.screen.list.isEmpty)
        let topic = APNSPushType.voip.topic(of: "com.example.other")
        let other = await phone.push(.alert, to: .lab, type: .voip, topic: topic)
        #expect(phone.journeys.kinds(of: other) == [.suppressed(.notInstalled)])
    }

    /// Sends a push of this type to the app on a phone that does not have what takes it.
    private func expect(_ reason: SuppressionReason, for type: APNSPushType, says words: String) async {
        let phone = await phone(27)
        let begin = phone.device.callbacks().count
        let push = await phone.push(.alertAndContent, to: .lab, type: type)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(reason)])
        let verdict = Verdict(phone.journeys.events(of: push))
        #expect(verdict.state == .suppressed)
        #expect(verdict.sentence.hasPrefix("delivered, but nothing took it: a push of type "))
        #expect(verdict.sentence.contains(words), "\(verdict.sentence)")
        #expect(phone.device.callbacks().count == begin && phone.device.screen.list.isEmpty)
        guard type != .mdm else { return }
        let other = await phone.push(.alert, to: .lab, type: type, topic: type.topic(of: "com.example.other"))
        #expect(phone.journeys.kinds(of: other) == [.suppressed(.notInstalled)])
    }

    @Test("A complication push goes to the app on a paired watch, and there is none")
    func complication() async {
        await expect(.noWatch, for: .complication, says: "paired Apple Watch")
    }

    @Test("A File Provider push goes to the File Provider extension, which the device does not run")
    func fileProvider() async {
        await expect(.noFileProvider, for: .fileprovider, says: "File Provider extension")
    }

    @Test("A location push goes to the location push service extension, which the device does not run")
    func location() async {
        await expect(.noLocationPushExtension, for: .location, says: "CLLocationPushServiceExtension")
    }

    @Test("A Push to Talk push goes to the PTChannelManager of a joined channel, and there is none")
    func pushToTalk() async {
        await expect(.noPushToTalk, for: .pushtotalk, says: "PTChannelManager")
    }

    @Test("A widgets push reloads widgets, not the app")
    func widgets() async { await expect(.noWidgets, for: .widgets, says: "reload the app's widgets") }

    @Test("A widget with a push handler gets the app a token, and takes its pushes, since iOS 26")
    func placedWidgets() async {
        let id = InstalledApp.lab.bundleID
        let phone = await phone(26)
        #expect(await phone.perform { $0.placeWidget("scores", of: id) })
        await phone.wait("the widgets have a token") { $0.device.widgetToken(of: id) != nil }
        let push = await phone.push(["aps": ["content-changed": true]], to: .lab, type: .widgets)
        #expect(phone.journeys.kinds(of: push) == [.presented(.widgets)])
        #expect(Verdict(phone.journeys.events(of: push)).sentence == "shown: it reloaded the app's widgets")
        await phone.perform { $0.removeWidget("scores", of: id) }
        #expect(phone.device.widgetToken(of: id) == nil)
        let late = await phone.push(["aps": ["content-changed": true]], to: .lab, type: .widgets)
        #expect(phone.journeys.kinds(of: late) == [.suppressed(.noWidgets)])
        let older = await self.phone(18)
        #expect(await older.perform { !$0.placeWidget("scores", of: id) })
    }

    @Test("A type of push that came with a later iOS is unknown to the device")
    func laterTypes() async {
        let phone = await phone(26)
        for type in [APNSPushType.accessory, .nowplaying] {
            let push = await phone.push(.alert, to: .lab, type: type)
            #expect(phone.journeys.kinds(of: push) == [.suppressed(.unsupportedType)])
        }
    }

    @Test("A controls push reloads controls, not the app")
    func controls() async { await expect(.noControls, for: .controls, says: "reload the app's controls") }

    @Test("An accessory push goes to the extensions that forward to an accessory, which the device does not run")
    func accessory() async {
        await expect(.noAccessory, for: .accessory, says: "forward notifications to an accessory")
    }

    @Test("A Now Playing push goes to the remote media session extension, which the device does not run")
    func nowPlaying() async { await expect(.noNowPlaying, for: .nowplaying, says: "remote media session extension") }

    @Test("An MDM push goes to an enrolled device, whatever its topic")
    func mdm() async {
        await expect(.notEnrolled, for: .mdm, says: "a management server has enrolled")
        let phone = await phone()
        let push = await phone.push(.alert, to: .lab, type: .mdm, topic: "com.apple.mgmt.External.1234")
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.notEnrolled)])
    }
}
