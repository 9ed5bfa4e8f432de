public import UIKit

/// The callback matrix with an app of your own: which methods of its delegates a notification calls, in which state and in which
/// order, and which ones it would call in an app that implements them all.
///
/// ```swift
/// let table = try await CallbackMatrix.run { AppDelegate() }
/// print(table.text)
/// #expect(table.unreached.isEmpty)
/// ```
///
/// Each row is a case of the table behind `posthorn matrix`: a version of iOS, the app's state, a payload and the user's action. It
/// runs on a phone of its own, whose clock is virtual, so two runs give the same table. The rows run one after another; several
/// runs may be under way at once. The app's own singletons belong to the process, not to a phone: they outlive a row.
public enum CallbackMatrix {
    /// Runs the matrix with an app.
    ///
    /// On each phone the app is opened, `prepare` runs inside it, and if it has not asked for permission by then, the matrix asks in
    /// its name (``Options/asksPermission``). Then the app is brought into the row's state, the notification arrives, and the user
    /// acts. The calls from the arrival on are recorded. Finally 30 seconds pass, in which a completion handler may still be called.
    ///
    /// - Parameters:
    ///   - options: the versions, states, payloads and actions, and the app's declarations.
    ///   - serviceExtension: creates the principal object of the app's service extension, once for each push; without it the rows with
    ///     `mutable-content` are left out.
    ///   - prepare: runs as the app's code after the first launch, for what the user does there before a notification comes: logging
    ///     in, or a button that asks for permission.
    ///   - delegate: creates the app's delegate, once for each launch.
    /// - Returns: the table.
    /// - Throws: a ``Problem`` if the options leave nothing to run, or the error that `prepare` throws.
    @MainActor
    public static func run(
        _ options: Options = Options(),
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        prepare: (@MainActor @Sendable () async throws -> Void)? = nil,
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) async throws -> Table {
        let subject = MatrixSubject(
            options: options,
            serviceExtension: serviceExtension,
            prepare: prepare,
            delegate: delegate
        )
        var rows: [Row] = []
        for system in options.systems {
            let plan = try await MatrixPlan(of: subject, on: system)
            for planned in plan.cases { rows.append(try await subject.run(planned, on: system)) }
        }
        guard !rows.isEmpty else { throw Problem.noCases }
        return Table(rows: rows)
    }

    /// The reason why a matrix cannot be run.
    public enum Problem: Error, Hashable, CustomStringConvertible {
        /// No row of the table fits the options.
        case noCases
        /// ``Options/category`` is not among those that the app has registered.
        case noSuchCategory(String, registered: [String])
        /// The version has no table.
        case noSuchSystem(String)

        /// The reason in words, with what to do.
        public var description: String {
            switch self {
            case .noCases:
                """
                No row of the callback matrix fits the options: systems, starts, payloads, acts and permissions each need a \
                value, and mutable-content needs a service extension.
                """
            case .noSuchCategory(let name, let registered):
                """
                The app has no category '\(name)'; it has registered \
                \(registered.isEmpty ? "none" : registered.joined(separator: ", ")). Register it at the launch or in prepare.
                """
            case .noSuchSystem(let version):
                "The callback matrix has no rows for iOS '\(version)'; expected 7.0 or later."
            }
        }
    }
}
