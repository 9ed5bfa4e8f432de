#include "Words.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char metrics[] = {
#embed "English/metrics.json"
};
static const unsigned char remarks[] = {
#embed "English/remarks.json"
};
static const unsigned char verdicts[] = {
#embed "English/verdicts.json"
};
static const unsigned char refusals[] = {
#embed "English/refusals.json"
};
static const unsigned char files[] = {
#embed "English/files.json"
};
static const unsigned char diagnosis[] = {
#embed "Languages/diagnosis.json"
};

struct words_file words_metrics(void) { return (struct words_file){metrics, sizeof metrics}; }

struct words_file words_remarks(void) { return (struct words_file){remarks, sizeof remarks}; }

struct words_file words_verdicts(void) { return (struct words_file){verdicts, sizeof verdicts}; }

struct words_file words_refusals(void) { return (struct words_file){refusals, sizeof refusals}; }

struct words_file words_diagnosis(void) { return (struct words_file){diagnosis, sizeof diagnosis}; }

struct words_file words_files(void) { return (struct words_file){files, sizeof files}; }
