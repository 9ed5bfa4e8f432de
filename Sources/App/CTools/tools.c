#include "Tools.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file[] = {
#embed "tools.json"
};

struct tools_file tools_list(void) { return (struct tools_file){file, sizeof file}; }
