// The C++ standard library as far as BoringSSL reads it. A debug build from nothing compiles this once, where its 526 C++ files would
// each read it anew (precompile_headers in prepare.sh).
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
