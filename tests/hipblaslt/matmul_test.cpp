#include "support.h"

#include <catch2/generators/catch_generators.hpp>

namespace {

constexpr hipDataType float_types[] = {HIP_R_32F,         HIP_R_16F,     HIP_R_16BF,
                                       HIP_R_8F_E4M3,     HIP_R_8F_E5M2, HIP_R_8F_E4M3_FNUZ,
                                       HIP_R_8F_E5M2_FNUZ};
constexpr hipblasOperation_t operations[] = {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C};
constexpr hipblasLtOrder_t orders[] = {HIPBLASLT_ORDER_COL, HIPBLASLT_ORDER_ROW};

} // namespace

TEST_CASE("products of floats of all types into floats of all types") {
  for (const auto a : float_types)
    for (const auto b : float_types)
      for (const auto d : float_types) {
        CAPTURE(a, b, d);
        require_right({.a_type = a, .b_type = b, .c_type = d, .d_type = d, .m = 9, .n = 7});
      }
}

TEST_CASE("the terms of C may have another type than D") {
  for (const auto c : float_types) {
    CAPTURE(c);
    require_right({.a_type = HIP_R_16F, .b_type = HIP_R_16F, .c_type = c, .d_type = HIP_R_16BF});
  }
}

TEST_CASE("all operations and orders") {
  for (const auto op_a : operations)
    for (const auto op_b : operations)
      for (const auto a_order : orders)
        for (const auto b_order : orders)
          for (const auto d_order : orders) {
            CAPTURE(op_a, op_b, a_order, b_order, d_order);
            for (const auto type : {HIP_R_32F, HIP_R_8F_E4M3})
              require_right({.a_type = type,
                             .b_type = type,
                             .op_a = op_a,
                             .op_b = op_b,
                             .a_order = a_order,
                             .b_order = b_order,
                             .c_order = d_order,
                             .d_order = d_order});
          }
}

TEST_CASE("double precision") {
  Case c{.a_type = HIP_R_64F,
         .b_type = HIP_R_64F,
         .c_type = HIP_R_64F,
         .d_type = HIP_R_64F,
         .compute = HIPBLAS_COMPUTE_64F,
         .scale_type = HIP_R_64F,
         .batch = 2};
  require_right(c);
  c.epilogue = HIPBLASLT_EPILOGUE_RELU_BIAS;
  require_right(c);
  c.pointer_mode = HIPBLASLT_POINTER_MODE_DEVICE;
  require_right(c);
}

TEST_CASE("integers") {
  Case c{.a_type = HIP_R_8I,
         .b_type = HIP_R_8I,
         .c_type = HIP_R_32I,
         .d_type = HIP_R_32I,
         .compute = HIPBLAS_COMPUTE_32I,
         .scale_type = HIP_R_32I};
  require_right(c);
  c.in_place = true;
  require_right(c);
  c.in_place = false;
  c.epilogue = HIPBLASLT_EPILOGUE_RELU_BIAS;
  require_right(c);
  SECTION("saturate") {
    c.c_type = c.d_type = HIP_R_8I;
    c.alpha = 5;
    require_right(c);
    c.epilogue = HIPBLASLT_EPILOGUE_DEFAULT;
    require_right(c);
  }
  SECTION("scaled by floats") {
    c.scale_type = HIP_R_32F;
    c.alpha = 0.3;
    require_right(c);
    c.c_type = c.d_type = HIP_R_8I;
    require_right(c);
  }
}

TEST_CASE("batches") {
  for (const auto type : {HIP_R_32F, HIP_R_16F, HIP_R_8F_E5M2}) {
    Case c{.a_type = type, .b_type = type, .c_type = type, .d_type = type, .batch = 3};
    require_right(c);
    c.in_place = true;
    require_right(c);
    c.epilogue = HIPBLASLT_EPILOGUE_GELU_AUX_BIAS;
    require_right(c);
  }
}

TEST_CASE("alpha and beta of the host, of the device, and an alpha for each row") {
  for (const auto mode : {HIPBLASLT_POINTER_MODE_HOST, HIPBLASLT_POINTER_MODE_DEVICE,
                          HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST})
    for (const double beta : {0.0, -1.5})
      for (const bool in_place : {false, true}) {
        CAPTURE(mode, beta, in_place);
        require_right({.beta = beta, .in_place = in_place, .pointer_mode = mode});
        require_right({.a_type = HIP_R_16BF,
                       .b_type = HIP_R_8F_E4M3,
                       .beta = beta,
                       .in_place = in_place,
                       .pointer_mode = mode});
      }
}

TEST_CASE("sizes at the edges of blocks, and no terms") {
  for (const int64_t m : {1, 31, 32, 33, 70})
    for (const int64_t n : {1, 8, 9, 65}) {
      CAPTURE(m, n);
      require_right({.m = m, .n = n, .k = 3, .epilogue = HIPBLASLT_EPILOGUE_BIAS});
    }
  require_right({.k = 0});
  require_right({.k = 0, .epilogue = HIPBLASLT_EPILOGUE_RELU_BIAS});
  require_right({.a_type = HIP_R_8F_E4M3, .b_type = HIP_R_8F_E4M3, .k = 0});
}

TEST_CASE("epilogues") {
  for (const auto epilogue :
       {HIPBLASLT_EPILOGUE_DEFAULT, HIPBLASLT_EPILOGUE_RELU, HIPBLASLT_EPILOGUE_BIAS,
        HIPBLASLT_EPILOGUE_RELU_BIAS, HIPBLASLT_EPILOGUE_GELU, HIPBLASLT_EPILOGUE_GELU_BIAS,
        HIPBLASLT_EPILOGUE_GELU_AUX, HIPBLASLT_EPILOGUE_GELU_AUX_BIAS, HIPBLASLT_EPILOGUE_DGELU,
        HIPBLASLT_EPILOGUE_DGELU_BGRAD, HIPBLASLT_EPILOGUE_BGRADA, HIPBLASLT_EPILOGUE_BGRADB})
    for (const auto type : {HIP_R_32F, HIP_R_16F, HIP_R_8F_E4M3_FNUZ})
      for (const auto operation : {HIPBLAS_OP_N, HIPBLAS_OP_T})
        for (const bool scales : {false, true}) {
          CAPTURE(epilogue, type, operation, scales);
          require_right({.a_type = type,
                         .b_type = type,
                         .c_type = type,
                         .d_type = type,
                         .op_a = operation,
                         .op_b = operation,
                         .epilogue = epilogue,
                         .bias_type = HIP_R_32F,
                         .scales = scales,
                         .amax = scales});
        }
}

TEST_CASE("a bias, an activation and a factor of floats, which have kernels of their own") {
  for (const auto d : {HIP_R_32F, HIP_R_16F, HIP_R_16BF})
    for (const auto epilogue :
         {HIPBLASLT_EPILOGUE_BIAS, HIPBLASLT_EPILOGUE_RELU, HIPBLASLT_EPILOGUE_RELU_BIAS,
          HIPBLASLT_EPILOGUE_GELU, HIPBLASLT_EPILOGUE_GELU_BIAS, HIPBLASLT_EPILOGUE_GELU_AUX,
          HIPBLASLT_EPILOGUE_GELU_AUX_BIAS, HIPBLASLT_EPILOGUE_DGELU})
      for (const auto order : orders) {
        CAPTURE(d, epilogue, order);
        require_right({.a_type = HIP_R_16F,
                       .b_type = HIP_R_16F,
                       .c_type = d,
                       .d_type = d,
                       .batch = 2,
                       .d_order = order,
                       .beta = 0,
                       .epilogue = epilogue});
      }
}

TEST_CASE("gradients of a bias of floats, and scaled auxiliary matrices") {
  for (const auto d : {HIP_R_32F, HIP_R_16F, HIP_R_16BF}) {
    CAPTURE(d);
    require_right({.c_type = d,
                   .d_type = d,
                   .beta = 0,
                   .epilogue = HIPBLASLT_EPILOGUE_DGELU_BGRAD,
                   .bias_type = HIP_R_32F});
    for (const auto epilogue : {HIPBLASLT_EPILOGUE_GELU_AUX, HIPBLASLT_EPILOGUE_DGELU})
      require_right(
          {.c_type = d, .d_type = d, .beta = 0, .epilogue = epilogue, .scales_aux = true});
  }
}

TEST_CASE("auxiliary matrices are one behind the other where no distance is said") {
  for (const auto epilogue : {HIPBLASLT_EPILOGUE_GELU_AUX, HIPBLASLT_EPILOGUE_DGELU})
    require_right({.batch = 3, .epilogue = epilogue, .tight_aux = true});
}

TEST_CASE("more columns than a grid has") {
  require_right({.m = 3, .n = 65537, .k = 1, .epilogue = HIPBLASLT_EPILOGUE_BIAS});
  require_right({.m = 3, .n = 65537, .k = 1, .beta = 0, .epilogue = HIPBLASLT_EPILOGUE_BIAS});
}

TEST_CASE("the type of a bias is that of D where none is said") {
  for (const auto type : {HIP_R_16F, HIP_R_16BF, HIP_R_32F})
    require_right({.c_type = type, .d_type = type, .epilogue = HIPBLASLT_EPILOGUE_BIAS});
}

TEST_CASE("each scale, and the largest magnitude") {
  require_right({.scales = true});
  require_right({.scale_vectors = true});
  require_right({.batch = 3, .amax = true});
  require_right({.a_type = HIP_R_8F_E4M3,
                 .b_type = HIP_R_8F_E5M2,
                 .c_type = HIP_R_16BF,
                 .d_type = HIP_R_8F_E4M3,
                 .in_place = false,
                 .scales = true,
                 .scale_vectors = true,
                 .amax = true});
}

TEST_CASE("8-bit floats saturate") {
  for (const auto type : {HIP_R_8F_E4M3, HIP_R_8F_E5M2, HIP_R_8F_E4M3_FNUZ, HIP_R_8F_E5M2_FNUZ})
    require_right({.c_type = type, .d_type = type, .alpha = 40000});
}
