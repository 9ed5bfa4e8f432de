// What glibc's own module leaves out.
#include <malloc.h>
