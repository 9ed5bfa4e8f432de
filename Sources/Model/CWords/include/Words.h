#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

/// A file of sentences by key, a JSON object.
struct words_file {
    const unsigned char *bytes;
    size_t length;
};

/// The sentences of a subject in one language.
enum words_of {
    /// The help of the service's metrics, in English.
    words_metrics,
    /// The words for the user of a device that gets no pushes, in each language, and for the app's developer.
    words_diagnosis,
    /// Findings and refusals of operations.
    words_remarks,
    words_remarks_chinese,
    /// The sentences of verdicts.
    words_journeys,
    words_journeys_chinese,
    /// The reasons why a push was not sent, waits, or was not shown.
    words_verdicts,
    words_verdicts_chinese,
    /// The meaning and the remedy of APNs's reasons.
    words_refusals,
    words_refusals_chinese,
    /// Refusals and warnings, by their patterns in English.
    words_sentences_chinese,
};

struct words_file words_about(enum words_of subject);

#endif
