import SystemPort

/// The errors of CallKit. Codes: Apple, `CXErrorCodeIncomingCallError`, `CXErrorCodeRequestTransactionError` and
/// `CXErrorCodeNotificationServiceExtensionError`.
enum CallKitError {
    enum Incoming: Int {
        case unknown = 0
        case unentitled = 1
        case callUUIDAlreadyExists = 2
        case filteredByDoNotDisturb = 3
    }

    enum Request: Int {
        case unentitled = 1
        case unknownCallProvider = 2
        case emptyTransaction = 3
        case unknownCallUUID = 4
        case callUUIDAlreadyExists = 5
        case invalidAction = 6
        case maximumCallGroupsReached = 7
    }

    enum Extension: Int {
        case invalidClientProcess = 1
        case missingNotificationFilteringEntitlement = 2
    }

    static func incoming(_ error: Incoming) -> SystemReply {
        failure("com.apple.CallKit.error.incomingcall", error.rawValue)
    }

    static func request(_ error: Request) -> SystemReply {
        failure("com.apple.CallKit.error.requesttransaction", error.rawValue)
    }

    static func serviceExtension(_ error: Extension) -> SystemReply {
        failure("com.apple.CallKit.error.notificationserviceextension", error.rawValue)
    }

    private static func failure(_ domain: String, _ code: Int) -> SystemReply {
        let text = "The operation couldn’t be completed. (\(domain) error \(code).)"
        return .failed(SystemError(domain: domain, code: code, text: text))
    }
}
