/// Stands behind the products `UIKit`, `UserNotifications` and the other frameworks on Apple platforms, so that a manifest which names
/// them resolves there. It has no module of their names: `import UIKit` is Apple's own.
public enum AppleFrameworks {}
