// Numbers of SPIR-V that only this folder knows (SPIR-V specification, sections 3.6 to 3.52).
#pragma once

#include "../../common/spirv.h"

namespace ze_opencl {

enum : uint32_t {
  mode_local_size = 17,
  mode_subgroup_size = 35,
  mode_local_size_id = 38,
};
enum : uint32_t { decoration_built_in = 11 };
enum : uint32_t {
  built_in_num_workgroups = 24,
  built_in_workgroup_size = 25,
  built_in_workgroup_id = 26,
  built_in_local_invocation_index = 29,
  built_in_work_dim = 30, // the sizes of the grid and of a group follow
  built_in_enqueued_workgroup_size = 32,
  built_in_global_offset = 33,
  built_in_subgroup_size = 36,
  built_in_subgroup_max_size = 37,
  built_in_num_subgroups = 38,
  built_in_num_enqueued_subgroups = 39,
  built_in_subgroup_id = 40,
  built_in_subgroup_local_invocation_id = 41,
};
enum : uint32_t {
  storage_uniform_constant = 0,
  storage_input = 1,
  storage_output = 3,
  storage_function = 7,
  storage_code_section = 5605, // SPV_INTEL_function_pointers
};
enum : uint32_t { attribute_no_write = 6 }; // of parameters
enum : uint32_t {
  scope_cross_device = 0,
  scope_device = 1,
  scope_workgroup = 2,
  scope_subgroup = 3
}; // wider ones come before
enum : uint32_t {
  capability_linkage = 5,
  capability_float16 = 9,
  capability_float64 = 10,
  capability_int64 = 11,
  capability_int64_atomics = 12,
  capability_subgroup_dispatch = 58,
  capability_group_non_uniform = 61,
  capability_group_non_uniform_last = 68, // Quad; those between are its kinds
  capability_shader_clock = 5055,
  capability_subgroup_shuffle = 5568, // SPV_INTEL_subgroups
  capability_function_pointers = 5603,
  capability_indirect_references = 5604,
  capability_float32_atomic_min_max = 5612, // SPV_EXT_shader_atomic_float_min_max
  capability_float64_atomic_min_max = 5613,
  capability_float16_atomic_min_max = 5616,
  capability_float32_atomic_add = 6033, // SPV_EXT_shader_atomic_float_add
  capability_float64_atomic_add = 6034,
  capability_float16_atomic_add = 6095,
};

enum : uint16_t {
  op_undef = 1,
  op_line = 8,
  op_ext_inst = 12,
  op_type_forward_pointer = 39,
  op_constant_true = 41,
  op_constant_false = 42,
  op_constant_composite = 44,
  op_constant_null = 46,
  op_spec_constant_composite = 51,
  op_spec_constant_op = 52,
  op_function_end = 56,
  op_function_call = 57,
  op_load = 61,
  op_store = 62,
  op_copy_memory = 63,
  op_access_chain = 65,
  op_in_bounds_access_chain = 66,
  op_ptr_access_chain = 67,
  op_in_bounds_ptr_access_chain = 70,
  op_vector_extract_dynamic = 77,
  op_composite_construct = 80,
  op_composite_extract = 81,
  op_copy_object = 83,
  op_convert_f_to_u = 109,
  op_u_convert = 113,
  op_convert_ptr_to_u = 117,
  op_convert_u_to_ptr = 120,
  op_ptr_cast_to_generic = 121,
  op_generic_cast_to_ptr = 122,
  op_bitcast = 124,
  op_s_negate = 126,
  op_i_add = 128,
  op_f_add = 129,
  op_i_sub = 130,
  op_i_mul = 132,
  op_f_convert = 115,
  op_f_mul = 133,
  op_s_mul_extended = 152,
  op_any = 154,
  op_logical_equal = 164,
  op_logical_not_equal = 165,
  op_logical_and = 167,
  op_logical_not = 168,
  op_select = 169,
  op_i_equal = 170,
  op_i_not_equal = 171,
  op_u_greater_than = 172,
  op_s_greater_than = 173,
  op_u_less_than = 176,
  op_s_less_than = 177,
  op_f_ord_equal = 180,
  op_f_unord_not_equal = 183,
  op_f_ord_less_than = 184,
  op_f_ord_greater_than = 186,
  op_f_unord_greater_than_equal = 191,
  op_shift_right_logical = 194,
  op_shift_left_logical = 196,
  op_bitwise_or = 197,
  op_bitwise_xor = 198,
  op_bitwise_and = 199,
  op_bit_count = 205,
  op_control_barrier = 224,
  op_memory_barrier = 225,
  op_atomic_load = 227,
  op_atomic_store = 228,
  op_atomic_i_increment = 232,
  op_atomic_xor = 242, // the last of integers
  op_phi = 245,
  op_loop_merge = 246,
  op_selection_merge = 247,
  op_label = 248,
  op_branch = 249,
  op_branch_conditional = 250,
  op_switch = 251,
  op_return_value = 254,
  op_lifetime_start = 256,
  op_lifetime_stop = 257,
  op_group_first = 261, // OpGroupAll; OpGroupAsyncCopy and its wait come before
  op_group_all = 261,
  op_group_any = 262,
  op_group_broadcast = 263,
  op_group_last = 271, // OpGroupSMax
  op_no_line = 317,
  op_atomic_flag_test_and_set = 318,
  op_atomic_flag_clear = 319,
  op_group_non_uniform_first = 333,
  op_group_non_uniform_elect = 333,
  op_group_non_uniform_all = 334,
  op_group_non_uniform_any = 335,
  op_group_non_uniform_all_equal = 336,
  op_group_non_uniform_broadcast = 337,
  op_group_non_uniform_broadcast_first = 338,
  op_group_non_uniform_ballot = 339,
  op_group_non_uniform_shuffle = 345,
  op_group_non_uniform_shuffle_xor = 346,
  op_group_non_uniform_shuffle_up = 347,
  op_group_non_uniform_shuffle_down = 348,
  op_group_non_uniform_i_add = 349,
  op_group_non_uniform_f_add = 350,
  op_group_non_uniform_i_mul = 351,
  op_group_non_uniform_f_mul = 352,
  op_group_non_uniform_s_min = 353,
  op_group_non_uniform_u_min = 354,
  op_group_non_uniform_f_min = 355,
  op_group_non_uniform_s_max = 356,
  op_group_non_uniform_u_max = 357,
  op_group_non_uniform_f_max = 358,
  op_group_non_uniform_bitwise_and = 359,
  op_group_non_uniform_bitwise_or = 360,
  op_group_non_uniform_bitwise_xor = 361,
  op_group_non_uniform_logical_and = 362,
  op_group_non_uniform_logical_or = 363,
  op_group_non_uniform_logical_xor = 364,
  op_group_non_uniform_last = 366,
  op_copy_logical = 400, // the first of SPIR-V 1.4
  op_ptr_diff = 403,     // the last
  op_group_rotate = 4431,
  op_read_clock = 5056,     // SPV_KHR_shader_clock
  op_subgroup_first = 5571, // SPV_INTEL_subgroups
  op_subgroup_shuffle = 5571,
  op_subgroup_shuffle_xor = 5574,
  op_subgroup_last = 5578,
  op_constant_function_pointer = 5600, // SPV_INTEL_function_pointers
  op_function_pointer_call = 5601,
  op_atomic_f_min = 5614,
  op_atomic_f_max = 5615,
  op_atomic_f_add = 6035,
};

/// What makes a type or a constant, of which only those in use are kept.
constexpr bool is_type_or_constant(uint16_t op) {
  return op == op_undef || (op >= 19 && op <= 39) ||
         (op >= op_constant_true && op <= op_spec_constant_op) ||
         op == op_constant_function_pointer;
}

constexpr bool is_atomic(uint16_t op) {
  return (op >= op_atomic_load && op <= op_atomic_xor) || op == op_atomic_flag_test_and_set ||
         op == op_atomic_flag_clear || op == op_atomic_f_min || op == op_atomic_f_max ||
         op == op_atomic_f_add;
}

/// Decorations, and the groups of them.
constexpr bool is_annotation(uint16_t op) {
  constexpr uint16_t decorate_id = 332, decorate_string = 5632, member_decorate_string = 5633;
  return (op >= 71 && op <= 75) || op == decorate_id || op == decorate_string ||
         op == member_decorate_string;
}

} // namespace ze_opencl
