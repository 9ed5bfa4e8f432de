// BackgroundTasks as far as the client for apps uses it.

@_exported import Foundation

@available(iOS 13.0, *)
open class BGTaskRequest: NSObject {}

@available(iOS 13.0, *)
open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) {}
}

@available(iOS 13.0, *)
open class BGTask: NSObject {
    open var expirationHandler: (() -> Void)?
    open func setTaskCompleted(success: Bool) {}
}

@available(iOS 13.0, *)
open class BGTaskScheduler: NSObject {
    open class var shared: BGTaskScheduler { fatalError() }
    open func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool { true }
    open func submit(_ taskRequest: BGTaskRequest) throws {}
}
