#ifndef CHOTROADS_H
#define CHOTROADS_H

#include "callgrind.h"
#include "loopback.h"

#endif
