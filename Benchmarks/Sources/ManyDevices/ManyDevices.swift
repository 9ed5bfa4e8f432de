import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import UIKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Measures the memory of a device and the CPU time of a push, with many phones in one process whose apps get many pushes.
///
/// `swift run -c release --package-path Benchmarks ManyDevices [DEVICES] [PUSHES]`
@main
struct ManyDevices {
    /// The maximum number of entries in a notification centre.
    private static let listed = 100

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let devices = numbers.first ?? 1000
        let pushes = numbers.dropFirst().first ?? 1000
        let app = InstalledApp(bundleID: "com.example.many")
        let before = residentBytes()
        var phones: [TestPhone] = []
        for seed in 0..<devices {
            let phone = TestPhone(.iOS(17), seed: UInt64(seed + 1))
            phone.install(app) { ManyApp() }
            await phone.open(app)
            await phone.background(app)
            phones.append(phone)
        }
        let perDevice = (residentBytes() - before) / max(1, devices)
        print("\(devices) devices with a running app: \(perDevice / 1024) KB each")
        let start = cpuSeconds()
        for _ in 0..<pushes {
            for phone in phones { await phone.push(["aps": ["alert": ["title": "Hi", "body": "there"]]], to: app) }
        }
        let spent = cpuSeconds() - start
        let total = devices * pushes
        let shown = phones.reduce(0) { $0 + $1.device.screen.list.count }
        print("\(total) pushes: \(spent) s of CPU, \(spent / Double(total) * 1e6) µs each; \(shown) in the lists")
        print("after them: \((residentBytes() - before) / max(1, devices) / 1024) KB a device")
        guard shown == devices * min(pushes, Self.listed) else {
            print("expected \(Self.listed) at most in each list")
            exit(1)
        }
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Resident memory, from `/proc/self/statm`, which counts pages of 4096 bytes.
    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}

private final class ManyApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }
}
