import PosthornMatrix
import PosthornTesting
import Reminders
import Testing

@Suite("Callbacks", .phoneStory)
@MainActor
struct MatrixTests {
    @Test("A push reaches a method of the app wherever iOS calls one, from iOS 10 on")
    func everyCase() async throws {
        let table = try await CallbackMatrix.run(
            CallbackMatrix.Options(systems: [.iOS(10), .iOS(17)], category: Categories.note),
            serviceExtension: { PictureService() },
            prepare: { _ = try await ReminderCenter().start(hour: 8) }
        ) {
            AppDelegate()
        }
        #expect(table.unreached.isEmpty, "\(table)")
        #expect(table.methodsToImplement.isEmpty, "\(table)")
    }

    @Test("A silent push that names a note brings new data, and one that names none does not")
    func silentPushes() async throws {
        var options = CallbackMatrix.Options(payloads: [.silent])
        let nothing = try await CallbackMatrix.run(options) { AppDelegate() }
        #expect(Set(nothing.rows.compactMap(\.fetchResult)) == ["noData"])
        options.userInfo = ["note": "42"]
        let note = try await CallbackMatrix.run(options) { AppDelegate() }
        #expect(Set(note.rows.compactMap(\.fetchResult)) == ["newData"])
        #expect(note.silent.map(\.start) == [.forceQuit], "After the user has swiped the app away, nothing wakes it.")
    }
}
