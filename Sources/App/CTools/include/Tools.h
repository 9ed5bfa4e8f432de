#ifndef TOOLS_H
#define TOOLS_H

#include <stddef.h>

/// A JSON document.
struct tools_file {
    const unsigned char *bytes;
    size_t length;
};

/// The tools of `posthorn mcp`, as the Model Context Protocol lists them.
struct tools_file tools_list(void);

#endif
