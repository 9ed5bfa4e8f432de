import DeviceLink
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("Rules of what an app stores")
@MainActor
struct StorageRules {
    private func device(_ folder: URL?, seed: UInt64) async -> Device {
        let device = Device(
            name: "iPhone",
            profile: .iOS(17),
            clock: VirtualClock(),
            dialer: LoopbackDialer(),
            journeys: JourneyRecorder(),
            random: SplitMix(seed: seed),
            prompts: .allow,
            appData: folder
        )
        device.install(.lab) { PlainApp() }
        device.open(lab)
        await device.settled()
        return device
    }

    private func write(_ value: String?, on device: Device) async throws {
        let port = try #require(device.port(of: lab))
        _ = await withCheckedContinuation { continuation in
            port.call(.writeStorage(key: "key", value: value)) { continuation.resume(returning: $0) }
        }
    }

    private func read(on device: Device) throws -> SystemReply {
        try #require(device.port(of: lab)).read(.readStorage(key: "key"))
    }

    private func vendor(on device: Device) throws -> String { try #require(device.port(of: lab)).facts.vendorID }

    @Test("An app's storage and its identifier for vendor outlive its device")
    func outlives() async throws {
        try await withTemporaryFolder { folder in
            let first = await device(folder, seed: 1)
            try await write("old", on: first)
            try await write("new", on: first)
            let vendor = try vendor(on: first)
            // Without a farewell, as after a kill: nothing is written at its end.
            let second = await device(folder, seed: 2)
            #expect(try read(on: second) == .value("new"))
            #expect(try self.vendor(on: second) == vendor)
            let forgetful = await device(nil, seed: 3)
            #expect(try read(on: forgetful) == .value(nil))
            #expect(try self.vendor(on: forgetful) != vendor)
            for device in [first, second, forgetful] { device.shutdown() }
        }
    }

    @Test("An app that is removed takes what it stored with it")
    func removed() async throws {
        try await withTemporaryFolder { folder in
            let first = await device(folder, seed: 1)
            try await write("old", on: first)
            let vendor = try vendor(on: first)
            first.uninstall(lab)
            await first.settled()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            let second = await device(folder, seed: 2)
            #expect(try read(on: second) == .value(nil))
            #expect(try self.vendor(on: second) != vendor)
            for device in [first, second] { device.shutdown() }
        }
    }
}
