#include "Matrix.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char callbacks[] = {
#embed "callbacks.csv"
};
static const unsigned char calls[] = {
#embed "calls.csv"
};
static const unsigned char activities[] = {
#embed "activities.csv"
};

struct matrix_table matrix_callbacks(void) { return (struct matrix_table){callbacks, sizeof callbacks}; }

struct matrix_table matrix_activities(void) { return (struct matrix_table){activities, sizeof activities}; }

struct matrix_table matrix_calls(void) { return (struct matrix_table){calls, sizeof calls}; }
