public import Foundation

/// The alignment of text. Raw values: Apple, `NSTextAlignment`.
public enum NSTextAlignment: Int, Sendable {
    /// To the left.
    case left = 0
    /// In the middle.
    case center = 1
    /// To the right.
    case right = 2
    /// To both sides.
    case justified = 3
    /// As the language is written.
    case natural = 4
}

/// The end of text that does not fit. Raw values: Apple, `NSLineBreakMode`.
public enum NSLineBreakMode: Int, Sendable {
    /// At the ends of words.
    case byWordWrapping = 0
    /// At any character.
    case byCharWrapping = 1
    /// Cut off at the edge.
    case byClipping = 2
    /// An ellipsis at the beginning.
    case byTruncatingHead = 3
    /// An ellipsis at the end.
    case byTruncatingTail = 4
    /// An ellipsis in the middle.
    case byTruncatingMiddle = 5
}

/// The keyboard of a text field. Raw values: Apple, `UIKeyboardType`.
public enum UIKeyboardType: Int, Sendable {
    /// The usual keyboard; stored only, like all keyboards.
    case `default` = 0
    /// Letters without accents.
    case asciiCapable = 1
    /// Digits and punctuation.
    case numbersAndPunctuation = 2
    /// For addresses of the web.
    case URL = 3
    /// For a PIN.
    case numberPad = 4
    /// For a phone number.
    case phonePad = 5
    /// For a name or a phone number.
    case namePhonePad = 6
    /// For an email address.
    case emailAddress = 7
    /// Digits and a decimal point.
    case decimalPad = 8
    /// Letters with `@` and `#` at hand.
    case twitter = 9
    /// For a search on the web.
    case webSearch = 10
    /// Digits 0 to 9 only.
    case asciiCapableNumberPad = 11
}

/// The return key of a keyboard. Raw values: Apple, `UIReturnKeyType`.
public enum UIReturnKeyType: Int, Sendable {
    /// The word for a line break; stored only, like all keys.
    case `default` = 0
    /// The word "Go".
    case go = 1
    /// The word "Google".
    case google = 2
    /// The word "Join".
    case join = 3
    /// The word "Next".
    case next = 4
    /// The word "Route".
    case route = 5
    /// The word "Search".
    case search = 6
    /// The word "Send".
    case send = 7
    /// The word "Yahoo".
    case yahoo = 8
    /// The word "Done".
    case done = 9
    /// The words "Emergency Call".
    case emergencyCall = 10
    /// The word "Continue".
    case `continue` = 11
}

/// The letters that are capitalised. Raw values: Apple, `UITextAutocapitalizationType`.
public enum UITextAutocapitalizationType: Int, Sendable {
    /// As it is typed; stored only, like all of them.
    case none = 0
    /// The first letter of each word.
    case words = 1
    /// The first letter of each sentence.
    case sentences = 2
    /// All letters.
    case allCharacters = 3
}

/// Whether text is corrected. Raw values: Apple, `UITextAutocorrectionType`.
public enum UITextAutocorrectionType: Int, Sendable {
    /// The system's choice; stored only, like all of them.
    case `default` = 0
    /// Off.
    case no = 1
    /// On.
    case yes = 2
}

/// The meaning of a field's text.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A whole name.
    public static let name = Self(rawValue: "name")
    /// An email address.
    public static let emailAddress = Self(rawValue: "email")
    /// A phone number.
    public static let telephoneNumber = Self(rawValue: "tel")
    /// The name of an account.
    public static let username = Self(rawValue: "username")
    /// A password that exists.
    public static let password = Self(rawValue: "password")
    /// A password to be made up.
    public static let newPassword = Self(rawValue: "new-password")
    /// A code from a message.
    public static let oneTimeCode = Self(rawValue: "one-time-code")
}

// The keyboard's notifications. No keyboard is shown, so none is posted.

extension UIResponder {
    /// Posted before the keyboard appears.
    public nonisolated static let keyboardWillShowNotification = NSNotification.Name("UIKeyboardWillShowNotification")
    /// Posted after the keyboard has appeared.
    public nonisolated static let keyboardDidShowNotification = NSNotification.Name("UIKeyboardDidShowNotification")
    /// Posted before the keyboard disappears.
    public nonisolated static let keyboardWillHideNotification = NSNotification.Name("UIKeyboardWillHideNotification")
    /// Posted after the keyboard has disappeared.
    public nonisolated static let keyboardDidHideNotification = NSNotification.Name("UIKeyboardDidHideNotification")
    /// Posted before the keyboard changes its place or size.
    public nonisolated static let keyboardWillChangeFrameNotification = NSNotification.Name(
        "UIKeyboardWillChangeFrameNotification"
    )
    /// Posted after the keyboard has changed its place or size.
    public nonisolated static let keyboardDidChangeFrameNotification = NSNotification.Name(
        "UIKeyboardDidChangeFrameNotification"
    )

    /// The key of the place before, an `NSValue` with a rectangle.
    public nonisolated static let keyboardFrameBeginUserInfoKey = "UIKeyboardFrameBeginUserInfoKey"
    /// The key of the place after, an `NSValue` with a rectangle.
    public nonisolated static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"
    /// The key of the seconds that the change takes.
    public nonisolated static let keyboardAnimationDurationUserInfoKey = "UIKeyboardAnimationDurationUserInfoKey"
    /// The key of the curve of the change.
    public nonisolated static let keyboardAnimationCurveUserInfoKey = "UIKeyboardAnimationCurveUserInfoKey"
    /// The key of whether the app itself has the keyboard.
    public nonisolated static let keyboardIsLocalUserInfoKey = "UIKeyboardIsLocalUserInfoKey"
}
