import Foundation
import UserNotifications

@main
struct Remind {
    static func main() async {
        guard let order = Order(Array(CommandLine.arguments.dropFirst())) else {
            fail(Order.usage)
        }
        do { try await carryOut(order) } catch { fail("remind: \(error.localizedDescription)") }
    }

    private static func carryOut(_ order: Order) async throws {
        let reminders = Reminders()
        switch order {
        case .remind(let seconds, let title, let body, let picture):
            try await reminders.prepare()
            print(try await reminders.add(after: seconds, title: title, body: body, picture: picture))
        case .list: for line in await reminders.lines() { print(line) }
        case .cancel(let identifiers): reminders.cancel(identifiers)
        case .answer:
            let answers = Answers()
            UNUserNotificationCenter.current().delegate = answers
            print(await answers.next(within: 10) ?? "Nobody has answered a reminder. \(Order.usage)")
        }
    }

    private static func fail(_ text: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(EXIT_FAILURE)
    }
}
