import Testing

@testable import PushModel

@Suite("Warnings about pushes")
struct PushWarningTests {
    private func warnings(_ body: String) -> [PushWarning] { PushWarning.all(in: Array(body.utf8)[...]) }

    @Test(
        "A placeholder that nobody has filled in is told with its place, wherever text is shown",
        arguments: [
            (#"{"notification":{"alert":"Hi {{name}}"}}"#, "notification.alert", "{{name}}"),
            (#"{"notification":{"ios":{"alert":"{{ user.name }}!"}}}"#, "notification.ios.alert", "{{ user.name }}"),
            (#"{"notification":{"ios":{"alert":{"title":"Order ${id}"}}}}"#, "notification.ios.alert.title", "${id}"),
            (
                #"{"notification":{"ios":{"alert":{"loc-args":["a","{{b}}"]}}}}"#, "notification.ios.alert.loc-args[1]",
                "{{b}}"
            ),
            (#"{"message":{"msg_content":"x","title":"{{t}}"}}"#, "message.title", "{{t}}"),
            (#"{"live_activity":{"ios":{"alert":{"body":"{{b}}"}}}}"#, "live_activity.ios.alert.body", "{{b}}"),
            (#"{"name":"n","push":{"notification":{"alert":"{{name}}"}}}"#, "notification.alert", "{{name}}"),
        ]
    )
    func placeholder(_ body: String, _ path: String, _ found: String) {
        let warnings = warnings(body)
        #expect(warnings == [PushWarning(kind: .placeholder, path: path, found: found)])
        #expect(warnings.first?.message.contains("\(path)' has the placeholder '\(found)'") == true)
    }

    @Test(
        "Other text, and the caller's own data, are not",
        arguments: [
            #"{"notification":{"alert":"Hi {name}"}}"#, #"{"notification":{"alert":"a }} b {{ c"}}"#, "{{", "",
            #"{"notification":{"alert":"{{}}"}}"#, #"{"notification":{"alert":"5 $ {a}"}}"#,
            #"{"notification":{"ios":{"alert":"x","extras":{"template":"{{name}}"}}}}"#,
            #"{"message":{"msg_content":"x","extras":{"a":"{{name}}"}},"cid":"{{c}}"}"#,
        ]
    )
    func nothing(_ body: String) {
        #expect(warnings(body) == [])
    }
}
