import Foundation
import PushModel
import SystemPort
import SystemPortSocket

/// The entry point of a service or content extension that is a program of its own: its `main.swift` is `NSExtensionMain()`.
///
/// Its Info.plist names the class (`NSExtension`, `NSExtensionPrincipalClass`) as `Module.Class`. On Apple platforms
/// the linker inserts the function of this name. It never returns: the process ends when the device has the result, or
/// ends it.
public func NSExtensionMain() -> Never {
    guard let port = SocketPort.ofThisProcess else {
        ExtensionProcess.leave(
            """
            No device started this extension; 'posthorn device run' with --service-extension or --content-extension does.
            """
        )
    }
    do throws(ExtensionProblem) {
        port.serve(try ExtensionProcess.host(on: port))
    } catch {
        ExtensionProcess.leave(error.description)
    }
    while true { RunLoop.main.run() }
}

/// The reason an extension cannot run: what was found, and what was expected.
struct ExtensionProblem: Error, CustomStringConvertible {
    var description: String
}

enum ExtensionProcess {
    /// - Returns: the endpoint that runs the principal class.
    /// - Throws: when the plist names no suitable class.
    static func host(on port: any SystemPort) throws(ExtensionProblem) -> any AppEndpoint {
        let (name, principal): (String, AnyClass) = try principalClass(in: port.facts.info)
        if let service = principal as? UNNotificationServiceExtension.Type {
            return ExtensionHost(port: port) { ObjectCreation.make(service) }
        }
        let content = NSClassFromString("UserNotificationsUI.ContentExtensionPoint") as? any ExtensionPoint.Type
        if let host = content?.host(of: principal, port: port) { return host }
        throw ExtensionProblem(
            description: """
                The extension's principal class '\(name)' is neither a UNNotificationServiceExtension nor a UIViewController with \
                UNNotificationContentExtension.
                """
        )
    }

    /// - Parameter info: the Info.plist of the extension.
    /// - Returns: the class that handles notifications, and its name.
    /// - Throws: when the plist names no class of the program.
    private static func principalClass(in info: JSONObject) throws(ExtensionProblem) -> (name: String, type: AnyClass) {
        guard let written = info["NSExtension"]?.object?["NSExtensionPrincipalClass"]?.string else {
            throw ExtensionProblem(
                description: """
                    The extension's Info.plist has no 'NSExtensionPrincipalClass' within 'NSExtension'; expected the name of \
                    its class, such as 'Service.NotificationService'.
                    """
            )
        }
        // As in Xcode's templates, where the build replaces it.
        let name = ["$(PRODUCT_MODULE_NAME)", "${PRODUCT_MODULE_NAME}"].reduce(written) { name, variable in
            name.replacing(variable, with: moduleName)
        }
        guard let found = NSClassFromString(name) else {
            throw ExtensionProblem(
                description: """
                    The extension's Info.plist names '\(name)' as its principal class, and the program has no such class; \
                    expected 'Module.Class', with the module that the class is declared in.
                    """
            )
        }
        return (name, found)
    }

    /// The module of the program's main file: its name, as an identifier.
    private static var moduleName: String {
        String(ProcessInfo.processInfo.processName.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    static func leave(_ reason: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("\(reason)\n".utf8))
        exit(EXIT_FAILURE)
    }
}
