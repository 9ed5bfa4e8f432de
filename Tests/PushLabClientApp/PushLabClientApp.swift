import Foundation
import JPush
import PushLab

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
        case "twice":
            JPUSHService.setTags(Set(values), completion: { code, _, _ in say("first \(code)") }, seq: 1)
            JPUSHService.getAllTags({ code, _, _ in say("second \(code)") }, seq: 2)
        case "off":
            JPUSHService.setPushEnable(false) { _ in
                JPUSHService.setTags(["off"], completion: { code, _, _ in say("while off \(code)") }, seq: 3)
                JPUSHService.setPushEnable(true) { code in say("on \(code)") }
            }
        case "activity":
            JPUSHService.registerLiveActivity(
                values.first,
                pushToken: Data([1, 2]),
                completion: { code, id, _, _ in say("activity \(code) \(id ?? "")") },
                seq: 4
            )
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
