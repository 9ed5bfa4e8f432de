import HTTPTypes
import PushService
import Testing

@testable import PosthornPortal

@Suite("Rules for calls of the API by the portal's scripts")
struct CallRuleTests {
    @Test(
        "Reading is for viewers, sending for senders, settings are for administrators",
        arguments: [
            (.get, "/v3/schedules", .viewer, false), (.post, "/v3/push/validate", .viewer, false),
            (.post, "/posthorn/v1/audience", .viewer, false), (.post, "/v3/push", .sender, true),
            (.delete, "/v3/push/7", .sender, false), (.post, "/v3/push/file", .sender, true),
            (.post, "/v3/push/batch/regid/single", .sender, true), (.delete, "/v3/schedules/1", .sender, false),
            (.post, "/v3/schedules", .sender, true), (.post, "/v3/push/template/schedule", .sender, true),
            (.post, "/v3/push_plan/create", .sender, false), (.put, "/posthorn/v1/topics", .admin, false),
            (.put, "/v3/schedules/1", .sender, true), (.post, "/v3/devices/1", .sender, false),
            (.put, "/posthorn/v1/app", .admin, false), (.post, "/posthorn/v1/devices/import", .admin, false),
        ] as [(HTTPRequest.Method, String, Role, Bool)]
    )
    func rules(_ method: HTTPRequest.Method, _ path: String, _ role: Role, _ sendsPushes: Bool) {
        let rule = CallRule(method, path)
        #expect(rule.role == role)
        #expect(rule.sendsPushes == sendsPushes)
        #expect(rule.changes == (role > .viewer))
    }

    @Test("Every operation has its role: viewers read, senders try credentials, administrators change")
    func operations() {
        let viewers: Set<OperatorController.Operation> = [
            .appList, .appShow, .groupList, .credentialList, .credentialShow, .healthShow, .retentionPreview,
        ]
        for operation in OperatorController.Operation.allCases {
            let expected: Role =
                viewers.contains(operation)
                ? .viewer : [.credentialTest, .doctor].contains(operation) ? .sender : .admin
            #expect(operation.role == expected, "\(operation)")
        }
    }
}
