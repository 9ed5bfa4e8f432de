// Written by Scripts/portal-files.py.
#include "PortalFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "Languages/en/apps.json"
};
static const unsigned char file_1[] = {
#embed "Languages/en/campaigns.json"
};
static const unsigned char file_2[] = {
#embed "Languages/en/compose.json"
};
static const unsigned char file_3[] = {
#embed "Languages/en/console.json"
};
static const unsigned char file_4[] = {
#embed "Languages/en/devices.json"
};
static const unsigned char file_5[] = {
#embed "Languages/en/health.json"
};
static const unsigned char file_6[] = {
#embed "Languages/en/layout.json"
};
static const unsigned char file_7[] = {
#embed "Languages/en/messages.json"
};
static const unsigned char file_8[] = {
#embed "Languages/en/phone.json"
};
static const unsigned char file_9[] = {
#embed "Languages/en/problems.json"
};
static const unsigned char file_10[] = {
#embed "Languages/en/remarks.json"
};
static const unsigned char file_11[] = {
#embed "Languages/en/reports.json"
};
static const unsigned char file_12[] = {
#embed "Languages/en/schedules.json"
};
static const unsigned char file_13[] = {
#embed "Languages/en/sign_in.json"
};
static const unsigned char file_14[] = {
#embed "Languages/en/users.json"
};
static const unsigned char file_15[] = {
#embed "Languages/en/why.json"
};
static const unsigned char file_16[] = {
#embed "Languages/zh-Hans/apps.json"
};
static const unsigned char file_17[] = {
#embed "Languages/zh-Hans/campaigns.json"
};
static const unsigned char file_18[] = {
#embed "Languages/zh-Hans/compose.json"
};
static const unsigned char file_19[] = {
#embed "Languages/zh-Hans/console.json"
};
static const unsigned char file_20[] = {
#embed "Languages/zh-Hans/devices.json"
};
static const unsigned char file_21[] = {
#embed "Languages/zh-Hans/health.json"
};
static const unsigned char file_22[] = {
#embed "Languages/zh-Hans/layout.json"
};
static const unsigned char file_23[] = {
#embed "Languages/zh-Hans/messages.json"
};
static const unsigned char file_24[] = {
#embed "Languages/zh-Hans/phone.json"
};
static const unsigned char file_25[] = {
#embed "Languages/zh-Hans/problems.json"
};
static const unsigned char file_26[] = {
#embed "Languages/zh-Hans/remarks.json"
};
static const unsigned char file_27[] = {
#embed "Languages/zh-Hans/reports.json"
};
static const unsigned char file_28[] = {
#embed "Languages/zh-Hans/schedules.json"
};
static const unsigned char file_29[] = {
#embed "Languages/zh-Hans/sign_in.json"
};
static const unsigned char file_30[] = {
#embed "Languages/zh-Hans/users.json"
};
static const unsigned char file_31[] = {
#embed "Languages/zh-Hans/why.json"
};
static const unsigned char file_32[] = {
#embed "Pages/account.mustache"
};
static const unsigned char file_33[] = {
#embed "Pages/app.mustache"
};
static const unsigned char file_34[] = {
#embed "Pages/apps.mustache"
};
static const unsigned char file_35[] = {
#embed "Pages/audit.mustache"
};
static const unsigned char file_36[] = {
#embed "Pages/campaigns.mustache"
};
static const unsigned char file_37[] = {
#embed "Pages/compose-field.mustache"
};
static const unsigned char file_38[] = {
#embed "Pages/compose-names.mustache"
};
static const unsigned char file_39[] = {
#embed "Pages/compose.mustache"
};
static const unsigned char file_40[] = {
#embed "Pages/console-connections.mustache"
};
static const unsigned char file_41[] = {
#embed "Pages/console-faults.mustache"
};
static const unsigned char file_42[] = {
#embed "Pages/console-keys.mustache"
};
static const unsigned char file_43[] = {
#embed "Pages/console-pushes.mustache"
};
static const unsigned char file_44[] = {
#embed "Pages/console-tokens.mustache"
};
static const unsigned char file_45[] = {
#embed "Pages/console.mustache"
};
static const unsigned char file_46[] = {
#embed "Pages/credential-name.mustache"
};
static const unsigned char file_47[] = {
#embed "Pages/device.mustache"
};
static const unsigned char file_48[] = {
#embed "Pages/devices.mustache"
};
static const unsigned char file_49[] = {
#embed "Pages/environment.mustache"
};
static const unsigned char file_50[] = {
#embed "Pages/health.mustache"
};
static const unsigned char file_51[] = {
#embed "Pages/layout.mustache"
};
static const unsigned char file_52[] = {
#embed "Pages/message-devices.mustache"
};
static const unsigned char file_53[] = {
#embed "Pages/message.mustache"
};
static const unsigned char file_54[] = {
#embed "Pages/messages.mustache"
};
static const unsigned char file_55[] = {
#embed "Pages/phone.mustache"
};
static const unsigned char file_56[] = {
#embed "Pages/phones.mustache"
};
static const unsigned char file_57[] = {
#embed "Pages/problem.mustache"
};
static const unsigned char file_58[] = {
#embed "Pages/replay.mustache"
};
static const unsigned char file_59[] = {
#embed "Pages/reports.mustache"
};
static const unsigned char file_60[] = {
#embed "Pages/schedule.mustache"
};
static const unsigned char file_61[] = {
#embed "Pages/schedules.mustache"
};
static const unsigned char file_62[] = {
#embed "Pages/sign-in.mustache"
};
static const unsigned char file_63[] = {
#embed "Pages/try.mustache"
};
static const unsigned char file_64[] = {
#embed "Pages/users.mustache"
};
static const unsigned char file_65[] = {
#embed "Pages/welcome.mustache"
};
static const unsigned char file_66[] = {
#embed "Pages/why.mustache"
};
static const unsigned char file_67[] = {
#embed "Scripts/account.js"
};
static const unsigned char file_68[] = {
#embed "Scripts/app.js"
};
static const unsigned char file_69[] = {
#embed "Scripts/apps.js"
};
static const unsigned char file_70[] = {
#embed "Scripts/campaign-rule.js"
};
static const unsigned char file_71[] = {
#embed "Scripts/campaigns.js"
};
static const unsigned char file_72[] = {
#embed "Scripts/compose-audience.js"
};
static const unsigned char file_73[] = {
#embed "Scripts/compose-bytes.js"
};
static const unsigned char file_74[] = {
#embed "Scripts/compose-code.js"
};
static const unsigned char file_75[] = {
#embed "Scripts/compose-draft.js"
};
static const unsigned char file_76[] = {
#embed "Scripts/compose-drafts.js"
};
static const unsigned char file_77[] = {
#embed "Scripts/compose-editor.js"
};
static const unsigned char file_78[] = {
#embed "Scripts/compose-explain.js"
};
static const unsigned char file_79[] = {
#embed "Scripts/compose-form.js"
};
static const unsigned char file_80[] = {
#embed "Scripts/compose-json.js"
};
static const unsigned char file_81[] = {
#embed "Scripts/compose-languages.js"
};
static const unsigned char file_82[] = {
#embed "Scripts/compose-look.js"
};
static const unsigned char file_83[] = {
#embed "Scripts/compose-meters.js"
};
static const unsigned char file_84[] = {
#embed "Scripts/compose-past.js"
};
static const unsigned char file_85[] = {
#embed "Scripts/compose-people.js"
};
static const unsigned char file_86[] = {
#embed "Scripts/compose-preview.js"
};
static const unsigned char file_87[] = {
#embed "Scripts/compose-push.js"
};
static const unsigned char file_88[] = {
#embed "Scripts/compose-schedule.js"
};
static const unsigned char file_89[] = {
#embed "Scripts/compose-send.js"
};
static const unsigned char file_90[] = {
#embed "Scripts/compose-trigger.js"
};
static const unsigned char file_91[] = {
#embed "Scripts/compose.js"
};
static const unsigned char file_92[] = {
#embed "Scripts/console.js"
};
static const unsigned char file_93[] = {
#embed "Scripts/credential.js"
};
static const unsigned char file_94[] = {
#embed "Scripts/device.js"
};
static const unsigned char file_95[] = {
#embed "Scripts/health.js"
};
static const unsigned char file_96[] = {
#embed "Scripts/message.js"
};
static const unsigned char file_97[] = {
#embed "Scripts/pages.js"
};
static const unsigned char file_98[] = {
#embed "Scripts/phone-activities.js"
};
static const unsigned char file_99[] = {
#embed "Scripts/phone-view.js"
};
static const unsigned char file_100[] = {
#embed "Scripts/phone.js"
};
static const unsigned char file_101[] = {
#embed "Scripts/phones.js"
};
static const unsigned char file_102[] = {
#embed "Scripts/portal.js"
};
static const unsigned char file_103[] = {
#embed "Scripts/replay.js"
};
static const unsigned char file_104[] = {
#embed "Scripts/schedule.js"
};
static const unsigned char file_105[] = {
#embed "Scripts/try.js"
};
static const unsigned char file_106[] = {
#embed "Scripts/users.js"
};
static const unsigned char file_107[] = {
#embed "Styles/apps.css"
};
static const unsigned char file_108[] = {
#embed "Styles/campaigns.css"
};
static const unsigned char file_109[] = {
#embed "Styles/compose.css"
};
static const unsigned char file_110[] = {
#embed "Styles/console.css"
};
static const unsigned char file_111[] = {
#embed "Styles/messages.css"
};
static const unsigned char file_112[] = {
#embed "Styles/phone.css"
};
static const unsigned char file_113[] = {
#embed "Styles/portal.css"
};

static const struct portal_file files[] = {
    {"Languages/en/apps.json", file_0, sizeof file_0},
    {"Languages/en/campaigns.json", file_1, sizeof file_1},
    {"Languages/en/compose.json", file_2, sizeof file_2},
    {"Languages/en/console.json", file_3, sizeof file_3},
    {"Languages/en/devices.json", file_4, sizeof file_4},
    {"Languages/en/health.json", file_5, sizeof file_5},
    {"Languages/en/layout.json", file_6, sizeof file_6},
    {"Languages/en/messages.json", file_7, sizeof file_7},
    {"Languages/en/phone.json", file_8, sizeof file_8},
    {"Languages/en/problems.json", file_9, sizeof file_9},
    {"Languages/en/remarks.json", file_10, sizeof file_10},
    {"Languages/en/reports.json", file_11, sizeof file_11},
    {"Languages/en/schedules.json", file_12, sizeof file_12},
    {"Languages/en/sign_in.json", file_13, sizeof file_13},
    {"Languages/en/users.json", file_14, sizeof file_14},
    {"Languages/en/why.json", file_15, sizeof file_15},
    {"Languages/zh-Hans/apps.json", file_16, sizeof file_16},
    {"Languages/zh-Hans/campaigns.json", file_17, sizeof file_17},
    {"Languages/zh-Hans/compose.json", file_18, sizeof file_18},
    {"Languages/zh-Hans/console.json", file_19, sizeof file_19},
    {"Languages/zh-Hans/devices.json", file_20, sizeof file_20},
    {"Languages/zh-Hans/health.json", file_21, sizeof file_21},
    {"Languages/zh-Hans/layout.json", file_22, sizeof file_22},
    {"Languages/zh-Hans/messages.json", file_23, sizeof file_23},
    {"Languages/zh-Hans/phone.json", file_24, sizeof file_24},
    {"Languages/zh-Hans/problems.json", file_25, sizeof file_25},
    {"Languages/zh-Hans/remarks.json", file_26, sizeof file_26},
    {"Languages/zh-Hans/reports.json", file_27, sizeof file_27},
    {"Languages/zh-Hans/schedules.json", file_28, sizeof file_28},
    {"Languages/zh-Hans/sign_in.json", file_29, sizeof file_29},
    {"Languages/zh-Hans/users.json", file_30, sizeof file_30},
    {"Languages/zh-Hans/why.json", file_31, sizeof file_31},
    {"Pages/account.mustache", file_32, sizeof file_32},
    {"Pages/app.mustache", file_33, sizeof file_33},
    {"Pages/apps.mustache", file_34, sizeof file_34},
    {"Pages/audit.mustache", file_35, sizeof file_35},
    {"Pages/campaigns.mustache", file_36, sizeof file_36},
    {"Pages/compose-field.mustache", file_37, sizeof file_37},
    {"Pages/compose-names.mustache", file_38, sizeof file_38},
    {"Pages/compose.mustache", file_39, sizeof file_39},
    {"Pages/console-connections.mustache", file_40, sizeof file_40},
    {"Pages/console-faults.mustache", file_41, sizeof file_41},
    {"Pages/console-keys.mustache", file_42, sizeof file_42},
    {"Pages/console-pushes.mustache", file_43, sizeof file_43},
    {"Pages/console-tokens.mustache", file_44, sizeof file_44},
    {"Pages/console.mustache", file_45, sizeof file_45},
    {"Pages/credential-name.mustache", file_46, sizeof file_46},
    {"Pages/device.mustache", file_47, sizeof file_47},
    {"Pages/devices.mustache", file_48, sizeof file_48},
    {"Pages/environment.mustache", file_49, sizeof file_49},
    {"Pages/health.mustache", file_50, sizeof file_50},
    {"Pages/layout.mustache", file_51, sizeof file_51},
    {"Pages/message-devices.mustache", file_52, sizeof file_52},
    {"Pages/message.mustache", file_53, sizeof file_53},
    {"Pages/messages.mustache", file_54, sizeof file_54},
    {"Pages/phone.mustache", file_55, sizeof file_55},
    {"Pages/phones.mustache", file_56, sizeof file_56},
    {"Pages/problem.mustache", file_57, sizeof file_57},
    {"Pages/replay.mustache", file_58, sizeof file_58},
    {"Pages/reports.mustache", file_59, sizeof file_59},
    {"Pages/schedule.mustache", file_60, sizeof file_60},
    {"Pages/schedules.mustache", file_61, sizeof file_61},
    {"Pages/sign-in.mustache", file_62, sizeof file_62},
    {"Pages/try.mustache", file_63, sizeof file_63},
    {"Pages/users.mustache", file_64, sizeof file_64},
    {"Pages/welcome.mustache", file_65, sizeof file_65},
    {"Pages/why.mustache", file_66, sizeof file_66},
    {"Scripts/account.js", file_67, sizeof file_67},
    {"Scripts/app.js", file_68, sizeof file_68},
    {"Scripts/apps.js", file_69, sizeof file_69},
    {"Scripts/campaign-rule.js", file_70, sizeof file_70},
    {"Scripts/campaigns.js", file_71, sizeof file_71},
    {"Scripts/compose-audience.js", file_72, sizeof file_72},
    {"Scripts/compose-bytes.js", file_73, sizeof file_73},
    {"Scripts/compose-code.js", file_74, sizeof file_74},
    {"Scripts/compose-draft.js", file_75, sizeof file_75},
    {"Scripts/compose-drafts.js", file_76, sizeof file_76},
    {"Scripts/compose-editor.js", file_77, sizeof file_77},
    {"Scripts/compose-explain.js", file_78, sizeof file_78},
    {"Scripts/compose-form.js", file_79, sizeof file_79},
    {"Scripts/compose-json.js", file_80, sizeof file_80},
    {"Scripts/compose-languages.js", file_81, sizeof file_81},
    {"Scripts/compose-look.js", file_82, sizeof file_82},
    {"Scripts/compose-meters.js", file_83, sizeof file_83},
    {"Scripts/compose-past.js", file_84, sizeof file_84},
    {"Scripts/compose-people.js", file_85, sizeof file_85},
    {"Scripts/compose-preview.js", file_86, sizeof file_86},
    {"Scripts/compose-push.js", file_87, sizeof file_87},
    {"Scripts/compose-schedule.js", file_88, sizeof file_88},
    {"Scripts/compose-send.js", file_89, sizeof file_89},
    {"Scripts/compose-trigger.js", file_90, sizeof file_90},
    {"Scripts/compose.js", file_91, sizeof file_91},
    {"Scripts/console.js", file_92, sizeof file_92},
    {"Scripts/credential.js", file_93, sizeof file_93},
    {"Scripts/device.js", file_94, sizeof file_94},
    {"Scripts/health.js", file_95, sizeof file_95},
    {"Scripts/message.js", file_96, sizeof file_96},
    {"Scripts/pages.js", file_97, sizeof file_97},
    {"Scripts/phone-activities.js", file_98, sizeof file_98},
    {"Scripts/phone-view.js", file_99, sizeof file_99},
    {"Scripts/phone.js", file_100, sizeof file_100},
    {"Scripts/phones.js", file_101, sizeof file_101},
    {"Scripts/portal.js", file_102, sizeof file_102},
    {"Scripts/replay.js", file_103, sizeof file_103},
    {"Scripts/schedule.js", file_104, sizeof file_104},
    {"Scripts/try.js", file_105, sizeof file_105},
    {"Scripts/users.js", file_106, sizeof file_106},
    {"Styles/apps.css", file_107, sizeof file_107},
    {"Styles/campaigns.css", file_108, sizeof file_108},
    {"Styles/compose.css", file_109, sizeof file_109},
    {"Styles/console.css", file_110, sizeof file_110},
    {"Styles/messages.css", file_111, sizeof file_111},
    {"Styles/phone.css", file_112, sizeof file_112},
    {"Styles/portal.css", file_113, sizeof file_113},
};

size_t portal_file_count(void) { return sizeof files / sizeof files[0]; }

struct portal_file portal_file(size_t index) { return files[index]; }
