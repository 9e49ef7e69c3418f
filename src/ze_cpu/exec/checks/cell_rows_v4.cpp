#include "cell_rows_code.h"

namespace ze_cpu {
const RowCode row_code_v4 = {width, is_run, read_row, write_row, read_lanes, write_lanes};
} // namespace ze_cpu
