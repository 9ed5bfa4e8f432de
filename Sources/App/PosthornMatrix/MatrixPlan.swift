import CallbackMatrix
import PosthornPhone
import SystemPort

/// The cases for an app on a version of iOS.
@MainActor
struct MatrixPlan {
    /// A case, with the words that stand for it in the result.
    struct Planned {
        var row: MatrixCase
        var start: CallbackMatrix.Start
        var payload: CallbackMatrix.Payload
        var act: CallbackMatrix.Act
        var button: String?
        var permission: CallbackMatrix.Permission
        /// The case of the table, for an app that implements all methods.
        var original: MatrixCase
    }

    let cases: [Planned]

    /// - Throws: a problem of the options, or an error of the app's preparation.
    init(of subject: MatrixSubject, on system: SystemProfile) async throws {
        let options = subject.options
        guard let major = Int(system.version.prefix { $0 != "." }), major >= 7 else {
            throw CallbackMatrix.Problem.noSuchSystem(system.version)
        }
        let own = try await subject.category(on: system)
        var seen: Set<String> = []
        cases = MatrixCase.all(iOS: major).compactMap { original in
            guard let planned = Planned(original, for: options, own: own), subject.allows(planned) else {
                return nil
            }
            // The table's rows come several times: with each setting of what is the app's and the system's own choice here.
            return seen.insert(planned.key).inserted ? planned : nil
        }
    }
}

extension MatrixPlan.Planned {
    var key: String { "\(original.id) \(start) \(payload) \(act) \(button ?? "") \(row.category) \(permission)" }

    /// Creates the case for an app; nil for a row that does not fit the options.
    ///
    /// - Parameters:
    ///   - original: the case of the table.
    ///   - options: the options.
    ///   - own: the app's category, if the options name one.
    init?(_ original: MatrixCase, for options: CallbackMatrix.Options, own: CategoryRecord?) {
        guard [.complete, .legacy].contains(original.delegate),
            let start = CallbackMatrix.Start(rawValue: original.start.rawValue),
            let payload = CallbackMatrix.Payload(rawValue: original.payload),
            let permission = Self.permission(original),
            original.isLocal || original.hasBackgroundMode == options.app.wakesForPushes,
            let (act, button) = Self.act(original.act, own)
        else { return nil }
        guard options.starts.contains(start), options.payloads.contains(payload), options.acts.contains(act),
            options.permissions.contains(permission)
        else { return nil }
        var row = original
        if let own {
            // Whether a dismissal is reported is the category's choice.
            let hears = own.options & UNNotificationCategoryOptions.customDismissAction.rawValue != 0
            if act == .dismiss, hears != (original.category == "hears") { return nil }
            row.category = own.identifier
        } else {
            row.category = MatrixSubject.categoryPrefix + original.category
        }
        if let button { if act == .reply { row.replyAction = button } else { row.act = .button(button) } }
        row.hasSound = true
        row.additions = options.userInfo
        self.row = row
        self.start = start
        self.payload = payload
        self.act = act
        self.button = button
        self.permission = permission
        self.original = original
    }

    private static func permission(_ row: MatrixCase) -> CallbackMatrix.Permission? {
        switch row.permission {
        case .granted: .granted
        case .denied: .denied
        // Whether the app asks is its own choice.
        case .notAsked: nil
        }
    }

    /// - Returns: nil if the app's category has no button of the kind.
    private static func act(_ act: MatrixCase.Act, _ own: CategoryRecord?) -> (CallbackMatrix.Act, String?)? {
        func first(_ identifier: String, where fits: (ActionRecord) -> Bool) -> String? {
            own.map { $0.actions.first(where: fits)?.identifier } ?? identifier
        }
        switch act {
        case .none: return (.none, nil)
        case .tap: return (.tap, nil)
        case .icon: return (.icon, nil)
        case .dismiss: return (.dismiss, nil)
        case .shortcut, .url, .leave, .swipeAway: return nil
        case .reply: return first("answer") { $0.textInput != nil }.map { (.reply, $0) }
        case .button("show"):
            return first("show") { $0.textInput == nil && $0.opensApp }.map { (.foregroundButton, $0) }
        case .button(let name):
            return first(name) { $0.textInput == nil && !$0.opensApp }.map { (.backgroundButton, $0) }
        }
    }
}

extension ActionRecord {
    fileprivate var opensApp: Bool { options & Self.foreground != 0 }
}
