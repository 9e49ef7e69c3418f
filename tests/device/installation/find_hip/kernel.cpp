#include "answer.h"
#include "value.h"

static_assert(BY_OPTION && BY_CLANG_OPTION && BY_TARGET && sizeof TEXT == 4);

int one() { return answer<value>(); }
