#ifndef PORTAL_FILES_H
#define PORTAL_FILES_H

#include <stddef.h>

/// A file of the portal.
struct portal_file {
    /// The path within this folder, such as `Pages/layout.mustache`.
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

/// The number of files.
size_t portal_file_count(void);

/// The file at an index below `portal_file_count()`.
struct portal_file portal_file(size_t index);

#endif
