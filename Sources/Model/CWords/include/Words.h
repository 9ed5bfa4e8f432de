#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

/// A file of sentences by key, a JSON object. Those in the folder English are in English.
struct words_file {
    const unsigned char *bytes;
    size_t length;
};

/// What findings and refusals of operations say.
struct words_file words_remarks(void);

/// Why a push was not sent, waits, or was not shown.
struct words_file words_verdicts(void);

/// What the metrics of the service count or time.
struct words_file words_metrics(void);

/// What the reasons of APNs mean, and what to do.
struct words_file words_refusals(void);

/// What is told to the user of a device that gets no pushes, in each language, and to the app's developer.
struct words_file words_diagnosis(void);

/// The findings of the doctor about the files of a build.
struct words_file words_files(void);

#endif
