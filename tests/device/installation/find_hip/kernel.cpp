#include "answer.h"
#include "value.h"

static_assert(BY_FLAG && BY_OPTION && BY_CLANG_OPTION && BY_TARGET && sizeof TEXT == 4);
#ifndef DEBUG
#error "the second option of HIP_HIPCC_FLAGS is missing"
#endif
#ifdef OF_PROGRAM
static_assert(sizeof OF_TEXT == 4);
#ifdef OF_RELEASE
static_assert(IS_RELEASE);
#else
static_assert(!IS_RELEASE);
#endif
#endif

int one() { return answer<value>(); }
