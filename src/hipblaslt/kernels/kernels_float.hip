#include "kernels.h"

namespace hipblaslt {

HIPBLASLT_INSTANTIATE(float)
HIPBLASLT_INSTANTIATE(int32_t)

} // namespace hipblaslt
