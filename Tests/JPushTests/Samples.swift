import PushDevice
import PushModel

// What several tests install and push.

extension InstalledApp {
    static let lab = InstalledApp(bundleID: "com.example.lab", name: "Lab")
}

extension JSONValue {
    static let alert: JSONValue = ["aps": ["alert": ["title": "Hi", "body": "there"], "sound": "default", "badge": 1]]
    static let alertAndContent: JSONValue = [
        "aps": ["alert": ["title": "Hi", "body": "there"], "content-available": 1]
    ]
}
