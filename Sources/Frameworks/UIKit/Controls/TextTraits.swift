public import Foundation

/// The alignment of text. Raw values: Apple, `NSTextAlignment`.
public enum NSTextAlignment: Int, Sendable {
    /// To the left, in the middle, to the right, to both sides, and as the language is written.
    case left, center, right, justified, natural
}

/// The end of text that does not fit. Raw values: Apple, `NSLineBreakMode`.
public enum NSLineBreakMode: Int, Sendable {
    /// At the ends of words, at any character, and cut off at the edge.
    case byWordWrapping, byCharWrapping, byClipping
    /// An ellipsis at the beginning, at the end, and in the middle.
    case byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

/// The keyboard of a text field. Raw values: Apple, `UIKeyboardType`.
public enum UIKeyboardType: Int, Sendable {
    /// The usual keyboard; stored only, like all keyboards.
    case `default`
    /// Letters without accents; digits and punctuation.
    case asciiCapable, numbersAndPunctuation
    /// For addresses of the web, a PIN, a phone number, a name or a phone number, and an email address.
    case URL, numberPad, phonePad, namePhonePad, emailAddress
    /// Digits and a decimal point; letters with `@` and `#` at hand; for a search on the web; digits 0 to 9 only.
    case decimalPad, twitter, webSearch, asciiCapableNumberPad
}

/// The return key of a keyboard. Raw values: Apple, `UIReturnKeyType`.
public enum UIReturnKeyType: Int, Sendable {
    /// The word for a line break; stored only, like all keys.
    case `default`
    /// The word of the case, such as "Go".
    case go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
}

/// The letters that are capitalised. Raw values: Apple, `UITextAutocapitalizationType`.
public enum UITextAutocapitalizationType: Int, Sendable {
    /// None, the first letter of each word, that of each sentence, and all letters; stored only.
    case none, words, sentences, allCharacters
}

/// Whether text is corrected. Raw values: Apple, `UITextAutocorrectionType`.
public enum UITextAutocorrectionType: Int, Sendable {
    /// The system's choice, off, and on; stored only.
    case `default`, no, yes
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
