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
            (#"{"notification":{"ios":{"alert":"{{a|b}} {{c}}"}}}"#, "notification.ios.alert", "{{c}}"),
            (#"{"message":{"msg_content":"x","title":"{{t|u}}"}}"#, "message.title", "{{t|u}}"),
            (#"{"message":{"msg_content":"x","title":"{{t}}"}}"#, "message.title", "{{t}}"),
            (#"{"live_activity":{"ios":{"alert":{"body":"{{b}}"}}}}"#, "live_activity.ios.alert.body", "{{b}}"),
            (#"{"name":"n","push":{"notification":{"alert":"{{name}}"}}}"#, "notification.alert", "{{name}}"),
            (#"{"notification":{"alert":"A {{first_name}}\u0301"}}"#, "notification.alert", "{{first_name}}"),
            (#"{"notification":{"alert":"{{first_name}}\u200Cجان"}}"#, "notification.alert", "{{first_name}}"),
            (#"{"notification":{"alert":"${id}\uFE0F"}}"#, "notification.alert", "${id}"),
            (#"{"notification":{"alert":"\u0301{{\u0301a}}"}}"#, "notification.alert", "{{\u{301}a}}"),
            (#"{"notification":{"alert":"{{ }} {{name}}"}}"#, "notification.alert", "{{name}}"),
            (#"{"notification":{"alert":"Hi {{{first_name}}}!"}}"#, "notification.alert", "{{{first_name}}"),
            (#"{"notification":{"alert":"Hi {{first_name |there}}!"}}"#, "notification.alert", "{{first_name |there}}"),
            (#"{"notification":{"alert":"Hi <%= name %>"}}"#, "notification.alert", "<%= name %>"),
            (#"{"notification":{"alert":"Hi \u003c%=name%\u003E"}}"#, "notification.alert", "<%=name%>"),
            (#"{"notification":{"alert":"{% if a %}"}}"#, "notification.alert", "{% if a %}"),
            (##"{"notification":{"alert":"Hi #{name}"}}"##, "notification.alert", "#{name}"),
            (#"{"notification":{"alert":"Hi %{name}"}}"#, "notification.alert", "%{name}"),
            (#"{"message":{"msg_content":"<% a %>"}}"#, "message.msg_content", "<% a %>"),
        ]
    )
    func placeholder(_ body: String, _ path: String, _ found: String) {
        let warnings = warnings(body)
        #expect(warnings == [PushWarning(kind: .placeholder, path: path, found: found)])
        #expect(PushWarning.mayConcern(Array(body.utf8)[...]))
        #expect(warnings.first?.message.contains("\(path)' has the placeholder '\(found)'") == true)
    }

    @Test("A member without effect is told with its path; a flag that is false asks for nothing")
    func noEffect() throws {
        let body = #"""
            {"platform":"all","sms_message":{},"notification_3rd":null,"inapp_message":{"inapp_message":true},
             "notification":{"alert":"x","ios":{"alert":"x"},"voip":{},"android":{"alert":"x"},"ai_opportunity":true},
             "options":{"classification":1,"geofence":{},"override_msg_id":1,"test_model":false,"need_backup":"false",
              "time_to_live":1,"x_rate":1,"x_strict":false,"tme_to_live":5}}
            """#
        let paths = [
            "sms_message", "notification.android", "notification.ai_opportunity", "options.classification",
            "options.geofence", "options.override_msg_id", "options.tme_to_live",
        ]
        #expect(warnings(body).map(\.path) == paths)
        #expect(warnings(body).dropLast().allSatisfy { $0.kind == .noEffect })
        #expect(warnings(body).last?.kind == .misspelt && warnings(body).last?.found == "options.time_to_live")
        let inApp = warnings(#"{"message":{},"inapp_message":{"inapp_message":true}}"#)
        #expect(inApp == [PushWarning(kind: .noNotification, path: "inapp_message", found: "inapp_message")])
        let message =
            #"{"message":{},"options":{"apns_collapse_id":"c","x_quiet_hours":false,"x_rate":1,"x_topic":"t"}}"#
        #expect(warnings(message).map(\.path) == ["options.apns_collapse_id", "options.x_topic"])
        #expect(
            warnings(message).allSatisfy { $0.kind == .noNotification && $0.message.contains("without 'notification'") }
        )
        let java = #"{"platform":"ios","audience":"all","notification":{"alert":"x","ai_opportunity":false}}"#
        let request = try PushRequest(parsing: Array(java.utf8))
        #expect(request.warnings(in: Array(java.utf8)) == [])
    }

    @Test(
        "An alert that would show nothing, and an option that is nearly one, are told with what is meant",
        arguments: [
            (
                #""ios":{"alert":{"en":"a","default":"b"}}"#, "", PushWarning.Kind.languages, "notification.ios.alert",
                "en"
            ),
            (#""ios":{"alert":{"titel":"u"}}"#, "", .noText, "notification.ios.alert", "titel"),
            (
                #""ios":{"alert":"x","x_localized":{"de":{"titel":"t"}}}"#, "", .noText,
                "notification.ios.x_localized.de", "titel"
            ),
            (
                #""ios":{"alert":{"body":"x","x_localized":{"de":"y"}}}"#, "", .misspelt,
                "notification.ios.alert.x_localized", "notification.ios.x_localized"
            ),
            (#""alert":"x""#, #""x_undoo":"7""#, .misspelt, "options.x_undoo", "options.x_undo"),
            (#""alert":"x""#, #""x_quite_hours":{}"#, .misspelt, "options.x_quite_hours", "options.x_quiet_hours"),
            (#""alert":"x""#, #""receipt_id":"r""#, .noEffect, "options.receipt_id", "receipt_id"),
        ]
    )
    func meant(_ texts: String, _ options: String, _ kind: PushWarning.Kind, _ path: String, _ found: String) throws {
        let body = #"{"platform":"ios","audience":"all","notification":{\#(texts)},"options":{\#(options)}}"#
        let warnings = try PushRequest(parsing: Array(body.utf8)).warnings(in: Array(body.utf8))
        #expect(warnings == [PushWarning(kind: kind, path: path, found: found)])
        #expect(SentenceTable.chinese.translated(warnings[0].message) != nil)
    }

    @Test("An alert with any member that Apple documents is right", arguments: ["body", "loc-key", "subtitle"])
    func right(_ key: String) throws {
        let body = #"{"platform":"ios","audience":"all","notification":{"ios":{"alert":{"\#(key)":"a","own":"b"}}}}"#
        #expect(try PushRequest(parsing: Array(body.utf8)).warnings(in: Array(body.utf8)) == [])
    }

    @Test(
        "Texts by language in another place are refused with the right one",
        arguments: [
            #""notification":{"alert":{"en":"a"}}"#, #""notification":{"alert":"a","x_localized":{"en":"a"}}"#,
            #""notification":{"alert":"a"},"x_localized":{"en":"a"}"#,
        ]
    )
    func misplaced(_ members: String) throws {
        let body = #"{"platform":"ios","audience":"all",\#(members)}"#
        let error = #expect(throws: JPushError.self) { try PushRequest(parsing: Array(body.utf8)) }
        let message = try #require(error?.message)
        #expect(message.contains("'notification.ios.x_localized'"))
        #expect(SentenceTable.chinese.translated(message) != nil)
    }

    @Test(
        "Other text, and the caller's own data, are not",
        arguments: [
            #"{"notification":{"alert":"Hi {name}"}}"#, #"{"notification":{"alert":"a }} b {{ c"}}"#, "{{", "",
            #"{"notification":{"alert":"Hi {{first_name|there}}"}}"#, #"{"notification":{"alert":"{{}}"}}"#,
            #"{"notification":{"alert":"5 $ {a}"}}"#, #"{"notification":{"alert":"50% <off>, 5 <% 6"}}"#,
            #"{"notification":{"alert":"Hi {{{first_name|there}}}"}}"#,
            #"{"notification":{"alert":"{{|{}}{{|{}}a{{|}}}{{|}}}"}}"#, #"{"notification":{"alert":"{{a|{{|}}}}} b"}}"#,
            #"{"notification":{"ios":{"alert":"x","extras":{"template":"{{name}}"}}}}"#,
            #"{"message":{"msg_content":"x","extras":{"a":"{{name}}"}},"cid":"{{c}}"}"#,
        ]
    )
    func nothing(_ body: String) {
        #expect(warnings(body) == [])
    }
}
