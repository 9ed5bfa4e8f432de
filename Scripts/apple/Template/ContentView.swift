// The view of Xcode's template for an app with SwiftUI.

import SwiftUI

struct ContentView: View {
    var body: some View { Text("Hello, world!") }
}
