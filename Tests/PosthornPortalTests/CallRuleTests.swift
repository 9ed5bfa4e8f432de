import HTTPTypes
import PushService
import Testing

@testable import PosthornPortal

@Suite("Rules for calls of the API by the portal's scripts")
struct CallRuleTests {
    @Test(
        "Reading is for viewers, sending for senders, settings are for administrators",
        arguments: [
            (.get, "/v3/schedules", .viewer, .never), (.post, "/v3/push/validate", .viewer, .never),
            (.post, "/posthorn/v1/audience", .viewer, .never), (.post, "/v3/push", .sender, .toSend),
            (.delete, "/v3/push/7", .sender, .never), (.post, "/v3/push/file", .sender, .toSend),
            (.post, "/v3/push/batch/regid/single", .sender, .toSend), (.delete, "/v3/schedules/1", .sender, .never),
            (.post, "/v3/schedules", .sender, .toSend), (.post, "/v3/push/template/schedule", .sender, .toSend),
            (.post, "/v3/push_plan/create", .sender, .never), (.put, "/posthorn/v1/topics", .admin, .always),
            (.put, "/v3/schedules/1", .sender, .toSend), (.post, "/v3/devices/1", .sender, .toRename),
            (.put, "/posthorn/v1/app", .admin, .never), (.post, "/posthorn/v1/devices/import", .admin, .always),
            (.put, "/posthorn/v1/segments/a", .sender, .always), (.get, "/posthorn/v1/segments/a", .viewer, .never),
            (.delete, "/posthorn/v1/segments/a", .sender, .always), (.post, "/v3/tags/news", .sender, .toRename),
            (.delete, "/v3/tags/news", .sender, .toRename), (.delete, "/v3/aliases/bob", .sender, .toRename),
            (.post, "/posthorn/v1/templates", .sender, .never), (.delete, "/v3/devices/1", .sender, .toRename),
        ] as [(HTTPRequest.Method, String, Role, CallRule.Password)]
    )
    func rules(_ method: HTTPRequest.Method, _ path: String, _ role: Role, _ password: CallRule.Password) {
        let rule = CallRule(method, path)
        #expect(rule.role == role)
        #expect(rule.password == password)
        #expect(rule.changes == (role > .viewer))
    }

    @Test("What hands out a secret, decides who may send, or cannot be undone needs the password")
    func passwords() {
        let words = ["create", "rotate_secret", "end_secret", "delete", "remove", "add", "alias_key"]
        for operation in OperatorController.Operation.allCases {
            let word = operation.rawValue.split(separator: ".")[1]
            let others: Set<OperatorController.Operation> = [.groupChange, .userSet, .developerEnable]
            let expected = others.contains(operation) || words.contains(String(word)) && operation != .appCreate
            #expect(operation.needsPassword == expected, "\(operation)")
        }
    }

    @Test("Every operation has its role: viewers read, senders try credentials, administrators change")
    func operations() {
        let viewers: Set<OperatorController.Operation> = [
            .appList, .appShow, .appContents, .groupList, .credentialList, .credentialShow, .healthShow,
            .retentionPreview,
        ]
        for operation in OperatorController.Operation.allCases {
            let expected: Role =
                viewers.contains(operation)
                ? .viewer : [.credentialTest, .doctor].contains(operation) ? .sender : .admin
            #expect(operation.role == expected, "\(operation)")
        }
    }
}
