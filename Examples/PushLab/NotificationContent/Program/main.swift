import PushLabNotificationContent
import UserNotifications

// On Linux the extension is a program of its own. Its Info.plist names the class; in Xcode the linker provides this
// function.
NSExtensionMain()
