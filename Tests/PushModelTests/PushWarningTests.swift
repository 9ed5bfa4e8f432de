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
        #expect(warnings(body).allSatisfy { $0.kind == .noEffect })
        #expect(warnings(body).last?.found == "tme_to_live")
        #expect(warnings(#"{"message":{},"inapp_message":{"inapp_message":true}}"#).map(\.path) == ["inapp_message"])
        let message =
            #"{"message":{},"options":{"apns_collapse_id":"c","x_quiet_hours":false,"x_rate":1,"x_topic":"t"}}"#
        #expect(warnings(message).map(\.path) == ["options.apns_collapse_id", "options.x_topic"])
        let java = #"{"platform":"ios","audience":"all","notification":{"alert":"x","ai_opportunity":false}}"#
        let request = try PushRequest(parsing: Array(java.utf8))
        #expect(request.warnings(in: Array(java.utf8)) == [])
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
