#include "kernels.h"

namespace hipblaslt {

HIPBLASLT_INSTANTIATE(double)

} // namespace hipblaslt
