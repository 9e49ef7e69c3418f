#include "../language_hip/answer.h"

int one() { return answer<1>(); }
