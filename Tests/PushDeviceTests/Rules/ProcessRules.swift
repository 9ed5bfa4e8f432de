import Dispatch
import Foundation
import PosthornTesting
import PushDevice
import SystemPort
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

/// An app that observes as on a phone, without a thought of other phones.
private final class ObservingApp: UIResponder, UIApplicationDelegate {
    let log = Recorder<String>()
    private var tokens: [any NSObjectProtocol] = []
    static let ownName = NSNotification.Name("ProcessRules.own")

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let names = [
            UIApplication.didBecomeActiveNotification, UIApplication.didEnterBackgroundNotification, Self.ownName,
        ]
        for name in names {
            let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [log] in
                log.add("\($0.name.rawValue) on \(CurrentPort.bound?.facts.deviceName ?? "none")")
            }
            tokens.append(token)
        }
        return true
    }

    func remove() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }
}

@Suite("Rules of several phones in a process", .serialized)
@MainActor
struct ProcessRules {
    private func opened(_ name: String) async throws -> (phone: TestPhone, app: ObservingApp) {
        let phone = await TestPhone(name: name).opening { ObservingApp() }
        return (phone, try phone.delegate(ObservingApp.self))
    }

    private func post(on phone: TestPhone?) {
        let center = NotificationCenter.default
        guard let phone else { return center.post(name: ObservingApp.ownName, object: nil) }
        phone.device.inside(lab) { center.post(name: ObservingApp.ownName, object: nil) }
    }

    @Test("An observer of the default notification centre hears of its own phone alone, without a guard")
    func observers() async throws {
        let (one, first) = try await opened("One")
        let (two, second) = try await opened("Two")
        await two.background(.lab)
        await one.background(.lab)
        await two.open(.lab)
        func lines(_ name: String) -> [String] {
            ["DidBecomeActive", "DidEnterBackground"].map { "UIApplication\($0)Notification on \(name)" }
        }
        #expect(first.log.elements == lines("One"))
        #expect(second.log.elements == lines("Two") + [lines("Two")[0]])
        first.remove()
        second.remove()
    }

    @Test("Notifications that an app posts stay on its phone; those of code outside of apps reach every phone")
    func ownPosts() async throws {
        let (one, first) = try await opened("One")
        let (_, second) = try await opened("Two")
        post(on: one)
        #expect(first.log.elements.last == "ProcessRules.own on One")
        #expect(second.log.elements.count == 1)
        CurrentPort.$bound.withValue(nil) { post(on: nil) }
        #expect(first.log.elements.count == 3 && second.log.elements.last == "ProcessRules.own on Two")
        first.remove()
        second.remove()
    }

    @Test("An observer with a queue hears of its own phone alone, on the queue, before the post returns")
    func observerOnQueue() async throws {
        let (one, _) = try await opened("One")
        let (two, _) = try await opened("Two")
        let log = Recorder<String>()
        let queue = OperationQueue()
        let token = observe(on: one, queue: queue, log)
        post(on: two)
        #expect(log.elements == [])
        post(on: one)
        #expect(log.elements == ["One true"])
        NotificationCenter.default.removeObserver(token)
    }

    private func observe(on phone: TestPhone, queue: OperationQueue, _ log: Recorder<String>) -> any NSObjectProtocol {
        let token = phone.device.inside(lab) {
            NotificationCenter.default.addObserver(forName: ObservingApp.ownName, object: nil, queue: queue) { _ in
                log.add("\(CurrentPort.bound?.facts.deviceName ?? "none") \(OperationQueue.current === queue)")
            }
        }
        return token ?? NSObject()
    }

    @Test("DispatchWorkItem, DispatchGroup.notify and the handlers of dispatch sources keep the phone")
    func dispatch() async throws {
        let (phone, app) = try await opened("One")
        _ = try await opened("Two")
        app.remove()
        let names = await phone.device.inside(lab) {
            let queue = DispatchQueue(label: "rules")
            let item = await withCheckedContinuation { continuation in
                let item = DispatchWorkItem { continuation.resume(returning: CurrentPort.bound?.facts.deviceName) }
                queue.async(execute: item)
            }
            let group = await withCheckedContinuation { continuation in
                DispatchGroup().notify(queue: queue) {
                    continuation.resume(returning: CurrentPort.bound?.facts.deviceName)
                }
            }
            let source = DispatchSource.makeTimerSource(queue: queue)
            let timer = await withCheckedContinuation { continuation in
                source.setEventHandler {
                    source.cancel()
                    continuation.resume(returning: CurrentPort.bound?.facts.deviceName)
                }
                source.schedule(deadline: .now())
                source.resume()
            }
            return [item, group, timer]
        }
        #expect(names == ["One", "One", "One"])
    }

    @Test("Code that lost its phone fails the test with the reason, and gets the answers of no phone")
    func lost() async throws {
        let (one, first) = try await opened("One")
        let (two, second) = try await opened("Two")
        let ports = try [one, two].map { try #require($0.device.port(of: lab)) }
        withKnownIssue {
            #expect(CurrentPort.choose(among: ports) === NoDevice.shared)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("com.example.lab on One, com.example.lab on Two") && text.contains("Timer")
        }
        first.remove()
        second.remove()
    }
}
