public import Foundation
import PushClock
import SystemPort

/// A control for a date. An app sets it and reads it; nobody turns it here.
///
/// Source: Apple, `UIDatePicker`.
@preconcurrency @MainActor
open class UIDatePicker: UIControl {
    /// The kind of date. Raw values: Apple, `UIDatePickerMode`.
    public enum Mode: Int, Sendable {
        /// The time, the date, both, a length, and month and year.
        case time, date, dateAndTime, countDownTimer, yearAndMonth
    }

    private lazy var chosen = CurrentPort.ifKnown.clock.date

    /// The date, between ``minimumDate`` and ``maximumDate``; at first the present.
    open var date: Date {
        get { bounded(chosen) }
        set { chosen = newValue }
    }
    /// The earliest date; nil for none.
    open var minimumDate: Date?
    /// The latest date; nil for none. If it is before the earliest one, both are ignored.
    open var maximumDate: Date?
    /// The parts of the date that it shows; stored only.
    open var datePickerMode = Mode.dateAndTime
    /// The look; stored only.
    open var preferredDatePickerStyle = UIDatePickerStyle.automatic
    /// The minutes between two rows; stored only.
    open var minuteInterval = 1
    /// The seconds of a length; stored only.
    open var countDownDuration: TimeInterval = 0
    /// The language of the texts; nil for the device's. Stored only.
    open var locale: Locale?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The calendar of the rows; stored only.
    open var calendar: Calendar! = .current
    /// The time zone of the rows; nil for the device's. Stored only.
    open var timeZone: TimeZone?

    /// Sets the date, without an animation.
    open func setDate(_ date: Date, animated: Bool) { self.date = date }

    private func bounded(_ date: Date) -> Date {
        let earliest = minimumDate ?? .distantPast
        let latest = maximumDate ?? .distantFuture
        return earliest > latest ? date : min(max(date, earliest), latest)
    }
}

/// The look of a date picker. Raw values: Apple, `UIDatePickerStyle`.
public enum UIDatePickerStyle: Int, Sendable {
    /// The system's choice, wheels, a small button, and a calendar.
    case automatic, wheels, compact, inline
}
