#ifndef MATRIX_H
#define MATRIX_H

#include <stddef.h>

/// A table as comma-separated values, whose first line names the columns.
struct matrix_table {
    const unsigned char *bytes;
    size_t length;
};

/// The callbacks of apps: the expected results.
///
/// `explained_in` is the section of the guide that explains the row, as the name of a page in `Documentation/Guide`, `#` and the section.
/// `implement` names what a row follows where sources differ: Apple's documentation, or what is seen in the field.
struct matrix_table matrix_callbacks(void);

/// Live Activities and their pushes: the expected results on iOS 18.
///
/// `app_hears` has the launch and the elements of the sequences that an app awaits; an app in the background hears of them as long as its
/// process is not suspended. `source` is `push` for Apple's "Starting and updating Live Activities with ActivityKit push notifications",
/// `life` for "Displaying live data with Live Activities", and `posthorn` for what Apple does not document.
struct matrix_table matrix_activities(void);

/// VoIP pushes, and the calls that apps report for them: the expected results by version of iOS.
///
/// `report` says where the app reports: in the method, in a task that it begins, 8 seconds later, or not at all. `source` is `apple` for
/// the pages of PushKit and CallKit, `forum` for a thread in which an engineer of Apple's answers, `session 226` for the one of WWDC26, and
/// `posthorn` for our own decision.
struct matrix_table matrix_calls(void);

#endif
