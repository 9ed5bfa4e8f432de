import APNSGateway
import Foundation
import JPush
import Logging
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

/// The whole road in one process: HTTP, SQLite, HTTP/2 over TLS and WebSockets on port 0, under a virtual clock.
@Suite("One push travels the whole road", .suiteLimit)
struct RoadTests {
    /// Ten stacks at once: nothing of one is seen by another.
    @Test("From POST /v3/push to the delegate callback and back to the verdict", arguments: 0..<10)
    func wholeRoad(_ number: Int) async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            let message = try await stack.push("Hello \(number)", to: registrationID, ["apns_production": true])
            let journey = try await stack.journey(of: message, to: registrationID)
            let apnsID = try #require(journey.object?["apns_id"]?.string)
            _ = await stack.journeys.first(of: apnsID) { $0 == .presented(.banner) }
            #expect(phone.device.screen.banner?.title == "Hello \(number)")
            #expect(phone.device.tap(apnsID))
            _ = await stack.journeys.first(of: apnsID) { if case .callback = $0 { true } else { false } }
            #expect(
                stack.journeys.callbacks(of: apnsID)
                    == ["userNotificationCenter(_:didReceive:withCompletionHandler:)@inactive"]
            )
            let verdict = try await stack.verdict(.opened, of: message, to: registrationID)
            #expect(verdict == "shown, and opened by the user")
            let log: [String] = await phone.callbacks()
            #expect(log.contains { $0.hasPrefix("jpushNotificationCenter(_:didReceive:") })
        }
    }

    @Test("A journey names each station in the order of the road")
    func order() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            let message = try await stack.push("Order", to: registrationID, [:])
            _ = try await stack.verdict(.shown, of: message, to: registrationID)
            // The phone may show a push before its outcome is on the service's disk.
            let names = try await eventual("the outcome is stored") {
                let journey = try await stack.journey(of: message, to: registrationID)
                let names = journey.object?["events"]?.array?.compactMap { $0.object?["event"]?.string } ?? []
                return names.contains("sent") ? names : nil
            }
            let road = ["accepted", "targeted", "sent", "delivered", "presented"]
            #expect(names.filter(road.contains).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } } == road)
        }
    }

    @Test("A push for the other environment is accepted, never sent, and explained")
    func wrongEnvironment() async throws {
        try await withStack(environment: .development) { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            let message = try await stack.push("Wrong", to: registrationID, ["apns_production": true])
            let sentence = try await stack.verdict(.suppressed, of: message, to: registrationID)
            #expect(
                sentence.hasPrefix(
                    """
                    not sent: the app was registered as a development build and the push asked for production; build, \
                    credential and push must agree
                    """
                )
            )
            #expect(phone.device.screen.list.isEmpty)
        }
    }

    @Test("An offline phone gets what waited, with the newest badge")
    func offline() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            phone.device.disconnect()
            let message = try await stack.push("Later", to: registrationID, [:])
            _ = try await stack.verdict(.stored, of: message, to: registrationID)
            phone.device.connect(courier: stack.gateway.server.courierURL)
            _ = try await stack.verdict(.shown, of: message, to: registrationID)
            #expect(phone.device.screen.badges[Stack.bundleID] == 1)
        }
    }

    @Test("A push whose time to live ended while the phone was away is explained")
    func expired() async throws {
        let clock = VirtualClock()
        try await withStack(clock: clock) { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            phone.device.disconnect()
            let message = try await stack.push("Late", to: registrationID, ["time_to_live": 60])
            _ = try await stack.verdict(.stored, of: message, to: registrationID)
            await clock.advance(by: .seconds(61))
            phone.device.connect(courier: stack.gateway.server.courierURL)
            let sentence = try await stack.verdict(.expired, of: message, to: registrationID)
            #expect(sentence.hasPrefix("not delivered: it expired before it could be delivered"))
        }
    }
}
