import Foundation
import JPushForApple
import PushLabOverClient

/// PushLab as on an iPhone, with an addition for Interop/test_client_phone.py: a custom message such as `tags a b` is an order,
/// whose result is printed.
@main
enum PushLabClientApp {
    @MainActor
    static func main() {
        let observer = NotificationCenter.default.addObserver(
            forName: .jpfNetworkDidReceiveMessage,
            object: nil,
            queue: nil
        ) { note in carryOut(note.userInfo?["content"] as? String ?? "") }
        AppDelegate.main()
        NotificationCenter.default.removeObserver(observer)
    }

    private static func carryOut(_ order: String) {
        let words = order.split(separator: " ").map(String.init)
        let values = words.dropFirst()
        switch words.first {
        case "tags":
            JPUSHService.setTags(Set(values), completion: { code, _, seq in say("tags \(code) \(seq)") }, seq: 7)
        case "alias":
            JPUSHService.setAlias(
                values.first,
                completion: { code, alias, _ in say("alias \(code) \(alias ?? "")") },
                seq: 8
            )
        case "badge": say("badge \(JPUSHService.setBadge(values.first.flatMap { Int($0) } ?? -1))")
        case "unregister": JPUSHService.unregister { say("unregistered \(Thread.isMainThread)") }
        case "diagnose": JPUSHService.diagnose { cause, sentence in say("\(cause): \(sentence)") }
        default: break
        }
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data("carried out: \(text)\n".utf8)) }
}
