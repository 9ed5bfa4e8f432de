import Foundation
import JPush
import PosthornTesting
import PushDevice
import UIKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Measures the client of the service in emulated apps: many phones in one process, each with an app with JPush over the test kit's
/// service, which register, set their tags and alias, get a custom message and report it, and start once more.
///
/// `swift run -c release --package-path Benchmarks ManyClients [CLIENTS]`
@main
@MainActor
struct ManyClients {
    /// The kit's service searches its devices one by one.
    private static let phonesPerService = 20
    fileprivate static let app = InstalledApp(bundleID: "com.example.many", link: TestJPush.url)

    static func main() async {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
        var clients: [Client] = []
        // Notifications are those of all apps of the process: one observer, which is called in the app that has the message.
        let observer = NotificationCenter.default.addObserver(
            forName: .jpfNetworkDidReceiveMessage,
            object: nil,
            queue: nil
        ) { JPUSHService.handleRemoteNotification($0.userInfo) }
        defer { NotificationCenter.default.removeObserver(observer) }
        await measure("a phone with a running app", of: count) {
            var service = TestJPush()
            for number in 0..<count {
                if number.isMultiple(of: phonesPerService) { service = TestJPush() }
                let phone = TestPhone(.iOS(17), seed: UInt64(number + 1))
                service.serve(phone)
                phone.install(app) { ManyApp() }
                await phone.open(app)
                clients.append(Client(phone: phone, service: service))
            }
        }
        await measure("registers, with its token", of: count) {
            for client in clients { await client.run { ManyApp.setUp() } }
        }
        await measure("sets tags and alias", of: count) {
            for client in clients { await client.run { ManyApp.setNames() } }
        }
        await measure("gets a message, and reports it", of: count) {
            for first in stride(from: 0, to: count, by: phonesPerService) {
                await clients[first].service.sendMessage("Hello", to: .all)
                for client in clients[first..<min(first + phonesPerService, count)] { await client.settle() }
            }
        }
        await measure("starts once more", of: count) {
            for client in clients {
                await client.phone.forceQuit(app)
                await client.phone.open(app)
                await client.run { ManyApp.setUp() }
            }
        }
        let finished = clients.count { $0.isFinished }
        guard finished == count else {
            print("\(count - finished) clients have not done everything.")
            exit(1)
        }
    }

    /// Runs a phase and prints its rate, and its CPU time and memory for one client.
    private static func measure(_ phase: String, of count: Int, _ body: () async -> Void) async {
        let (cpu, memory, start) = (cpuSeconds(), residentBytes(), ContinuousClock.now)
        await body()
        let spent = (cpuSeconds() - cpu) / Double(count) * 1e6
        let rate = Double(count) / (start.duration(to: .now) / .seconds(1))
        let kilobytes = (residentBytes() - memory) / count / 1024
        let name = phase.padding(toLength: 32, withPad: " ", startingAt: 0)
        print("\(name) \(Int(rate)) a second, \(Int(spent)) µs of CPU and \(kilobytes) KB each")
        fflush(nil)
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

/// A phone and the service that its app registers with.
@MainActor
private struct Client {
    let phone: TestPhone
    let service: TestJPush

    /// Runs the app's code, and waits until what it has begun is done.
    func run(_ body: @MainActor () -> Void) async {
        await phone.device.inside(ManyClients.app.bundleID, body)
        await settle()
    }

    /// The SDK's completions take a turn of the main thread each.
    func settle() async {
        for _ in 0..<3 {
            await phone.device.settled()
            await Task.yield()
        }
    }

    /// Whether the service has everything from the client, and its second start.
    var isFinished: Bool {
        let id = service.registrationID(of: phone)
        return id != nil && service.token(of: phone) != nil && service.isConnected(phone)
            && service.tags(of: phone) == ["blue", "green"] && service.alias(of: phone) == "ann"
            && service.receipts.contains { $0.registrationID == id }
    }
}

private final class ManyApp: UIResponder, UIApplicationDelegate {
    static func setUp() {
        JPUSHService.register(forRemoteNotificationConfig: JPUSHRegisterEntity(), delegate: nil)
        JPUSHService.setup(
            withOption: nil,
            appKey: "0123456789abcdef01234567",
            channel: "many",
            apsForProduction: false
        )
    }

    static func setNames() {
        JPUSHService.setTags(["blue", "green"], completion: nil, seq: 1)
        JPUSHService.setAlias("ann", completion: nil, seq: 2)
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { JPUSHService.registerDeviceToken(deviceToken) }
}
