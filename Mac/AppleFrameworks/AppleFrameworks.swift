/// Stands behind the products `UIKit`, `UserNotifications`, `JPush` and the other frameworks on Apple platforms, so that a manifest
/// which names them resolves there. It has no module of their names: `import UIKit` is Apple's own, and `import JPush` that of the
/// package or pod from which an app takes the SDK.
public enum AppleFrameworks {}
