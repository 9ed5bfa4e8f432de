// The view controller of Xcode's template for an app with UIKit.

import UIKit

class ViewController: UIViewController {
    override func viewDidLoad() { super.viewDidLoad() }
}
