#include "Words.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char metrics[] = {
#embed "English/metrics.json"
};
static const unsigned char diagnosis[] = {
#embed "Languages/diagnosis.json"
};
static const unsigned char remarks[] = {
#embed "English/remarks.json"
};
static const unsigned char remarks_chinese[] = {
#embed "Chinese/remarks.json"
};
static const unsigned char journeys[] = {
#embed "English/journeys.json"
};
static const unsigned char journeys_chinese[] = {
#embed "Chinese/journeys.json"
};
static const unsigned char verdicts[] = {
#embed "English/verdicts.json"
};
static const unsigned char verdicts_chinese[] = {
#embed "Chinese/verdicts.json"
};
static const unsigned char refusals[] = {
#embed "English/refusals.json"
};
static const unsigned char refusals_chinese[] = {
#embed "Chinese/refusals.json"
};
static const unsigned char sentences_chinese[] = {
#embed "Chinese/sentences.json"
};

static const struct words_file files[] = {
    [words_metrics] = {metrics, sizeof metrics},
    [words_diagnosis] = {diagnosis, sizeof diagnosis},
    [words_remarks] = {remarks, sizeof remarks},
    [words_remarks_chinese] = {remarks_chinese, sizeof remarks_chinese},
    [words_journeys] = {journeys, sizeof journeys},
    [words_journeys_chinese] = {journeys_chinese, sizeof journeys_chinese},
    [words_verdicts] = {verdicts, sizeof verdicts},
    [words_verdicts_chinese] = {verdicts_chinese, sizeof verdicts_chinese},
    [words_refusals] = {refusals, sizeof refusals},
    [words_refusals_chinese] = {refusals_chinese, sizeof refusals_chinese},
    [words_sentences_chinese] = {sentences_chinese, sizeof sentences_chinese},
};

struct words_file words_about(enum words_of subject) { return files[subject]; }
