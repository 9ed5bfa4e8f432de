// Written by Scripts/portal-files.py.
#include "PortalFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "Languages/en/apps.json"
};
static const unsigned char file_1[] = {
#embed "Languages/en/layout.json"
};
static const unsigned char file_2[] = {
#embed "Languages/en/problems.json"
};
static const unsigned char file_3[] = {
#embed "Languages/en/sign_in.json"
};
static const unsigned char file_4[] = {
#embed "Languages/zh-Hans/apps.json"
};
static const unsigned char file_5[] = {
#embed "Languages/zh-Hans/layout.json"
};
static const unsigned char file_6[] = {
#embed "Languages/zh-Hans/problems.json"
};
static const unsigned char file_7[] = {
#embed "Languages/zh-Hans/sign_in.json"
};
static const unsigned char file_8[] = {
#embed "Pages/apps.mustache"
};
static const unsigned char file_9[] = {
#embed "Pages/layout.mustache"
};
static const unsigned char file_10[] = {
#embed "Pages/problem.mustache"
};
static const unsigned char file_11[] = {
#embed "Pages/sign-in.mustache"
};
static const unsigned char file_12[] = {
#embed "Pages/welcome.mustache"
};
static const unsigned char file_13[] = {
#embed "Scripts/portal.js"
};
static const unsigned char file_14[] = {
#embed "Styles/portal.css"
};

static const struct portal_file files[] = {
    {"Languages/en/apps.json", file_0, sizeof file_0},
    {"Languages/en/layout.json", file_1, sizeof file_1},
    {"Languages/en/problems.json", file_2, sizeof file_2},
    {"Languages/en/sign_in.json", file_3, sizeof file_3},
    {"Languages/zh-Hans/apps.json", file_4, sizeof file_4},
    {"Languages/zh-Hans/layout.json", file_5, sizeof file_5},
    {"Languages/zh-Hans/problems.json", file_6, sizeof file_6},
    {"Languages/zh-Hans/sign_in.json", file_7, sizeof file_7},
    {"Pages/apps.mustache", file_8, sizeof file_8},
    {"Pages/layout.mustache", file_9, sizeof file_9},
    {"Pages/problem.mustache", file_10, sizeof file_10},
    {"Pages/sign-in.mustache", file_11, sizeof file_11},
    {"Pages/welcome.mustache", file_12, sizeof file_12},
    {"Scripts/portal.js", file_13, sizeof file_13},
    {"Styles/portal.css", file_14, sizeof file_14},
};

size_t portal_file_count(void) { return sizeof files / sizeof files[0]; }

struct portal_file portal_file(size_t index) { return files[index]; }
