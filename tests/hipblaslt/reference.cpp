#include "support.h"

#include <algorithm>
#include <optional>

namespace {

bool adds_bias(hipblasLtEpilogue_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_BIAS || epilogue == HIPBLASLT_EPILOGUE_RELU_BIAS ||
         epilogue == HIPBLASLT_EPILOGUE_GELU_BIAS || epilogue == HIPBLASLT_EPILOGUE_GELU_AUX_BIAS;
}

bool derives(hipblasLtEpilogue_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_DGELU || epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD;
}

bool writes_aux(hipblasLtEpilogue_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_GELU_AUX || epilogue == HIPBLASLT_EPILOGUE_GELU_AUX_BIAS;
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/// By differences, so that a wrong derivative here is not the same as there.
double gelu_derivative(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

double activated(hipblasLtEpilogue_t epilogue, double x) {
  switch (epilogue) {
  case HIPBLASLT_EPILOGUE_RELU:
  case HIPBLASLT_EPILOGUE_RELU_BIAS:
    return std::max(x, 0.0);
  case HIPBLASLT_EPILOGUE_GELU:
  case HIPBLASLT_EPILOGUE_GELU_BIAS:
  case HIPBLASLT_EPILOGUE_GELU_AUX:
  case HIPBLASLT_EPILOGUE_GELU_AUX_BIAS:
    return gelu(x);
  default:
    return x;
  }
}

/// Numbers on the device, or the host's copy of them.
class Numbers {
public:
  Numbers(hipDataType type, std::vector<double> values, bool on_device)
      : elements_(type, values.size()), on_device_(on_device) {
    for (size_t i = 0; i < values.size(); ++i)
      elements_.set(i, values[i]);
    elements_.upload();
    host_ = values.front();
    host_float_ = float(host_);
    host_integer_ = int32_t(host_);
  }
  const void *pointer() const {
    if (on_device_)
      return elements_.device();
    return elements_.type == HIP_R_64F   ? static_cast<const void *>(&host_)
           : elements_.type == HIP_R_32I ? static_cast<const void *>(&host_integer_)
                                         : &host_float_;
  }

private:
  Elements elements_;
  bool on_device_;
  double host_;
  float host_float_;
  int32_t host_integer_;
};

/// Requires that `computed` is the element of a type that is nearest to `exact`, whose error in what is computed in is up to `error`.
void require_near(double computed, double exact, double error, hipDataType type) {
  const Precision precision = ::precision(type);
  const double lowest = is_integer(type) ? -precision.largest - 1 : -precision.largest;
  const bool saturates = size_of(type) == 1 || is_integer(type);
  const double expected = saturates ? std::clamp(exact, lowest, precision.largest) : exact;
  const double bound = error + std::abs(expected) * precision.relative * 1.01 + precision.absolute;
  if (!(std::abs(computed - expected) <= bound)) {
    CAPTURE(computed, exact, bound);
    REQUIRE(std::abs(computed - expected) <= bound);
  }
}

} // namespace

void require_right(const Case &c) {
  std::mt19937 engine{11};
  const bool a_plain = c.op_a == HIPBLAS_OP_N, b_plain = c.op_b == HIPBLAS_OP_N;
  Matrices a(c.a_type, a_plain ? c.m : c.k, a_plain ? c.k : c.m, c.batch, c.a_order, engine);
  Matrices b(c.b_type, b_plain ? c.k : c.n, b_plain ? c.n : c.k, c.batch, c.b_order, engine);
  Matrices terms(c.c_type, c.m, c.n, c.batch, c.c_order, engine);
  Matrices results(c.d_type, c.m, c.n, c.batch, c.d_order, engine);
  Matrices &d = c.in_place ? terms : results;
  const std::vector<double> before = [&] {
    std::vector<double> values;
    for (size_t i = 0; i < d.elements.count(); ++i)
      values.push_back(d.elements[i]);
    return values;
  }();
  std::vector<double> addends; // since C may be overwritten
  for (size_t i = 0; i < terms.elements.count(); ++i)
    addends.push_back(terms.elements[i]);

  Desc desc(c.compute, c.scale_type);
  desc.set(HIPBLASLT_MATMUL_DESC_TRANSA, int32_t(c.op_a));
  desc.set(HIPBLASLT_MATMUL_DESC_TRANSB, int32_t(c.op_b));
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(c.epilogue));
  desc.set(HIPBLASLT_MATMUL_DESC_POINTER_MODE, int32_t(c.pointer_mode));

  const bool per_row = c.pointer_mode == HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
  std::vector<double> alphas(per_row ? size_t(c.m) : 1, c.alpha);
  for (size_t i = 0; i < alphas.size(); ++i)
    alphas[i] += double(i % 4);
  const Numbers alpha(c.scale_type, alphas, c.pointer_mode != HIPBLASLT_POINTER_MODE_HOST);
  const Numbers beta(c.scale_type, {c.beta}, c.pointer_mode == HIPBLASLT_POINTER_MODE_DEVICE);

  // Bias and gradients
  const hipDataType bias_type = c.bias_type == HIPBLASLT_DATATYPE_INVALID ? c.d_type : c.bias_type;
  Elements bias(bias_type, size_t(std::max(c.m, c.n)), engine);
  std::vector<double> bias_before;
  for (size_t i = 0; i < bias.count(); ++i)
    bias_before.push_back(bias[i]);
  desc.set(HIPBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device());
  if (c.bias_type != HIPBLASLT_DATATYPE_INVALID)
    desc.set(HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, int32_t(bias_type));
  Matrices aux(c.d_type, c.m, c.n, c.batch, HIPBLASLT_ORDER_COL, engine);
  if (c.tight_aux)
    aux.stride = aux.ld * c.n;
  if (derives(c.epilogue) || writes_aux(c.epilogue)) {
    desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.elements.device());
    desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux.ld);
    if (!c.tight_aux)
      desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, aux.stride);
  }

  // Scales
  // Scales of rows and columns replace those of A and B.
  const bool one_scale = c.scales && !c.scale_vectors;
  const double a_scale = one_scale ? 1.5 : 1, b_scale = one_scale ? 0.5 : 1;
  const double c_scale = c.scales ? 3 : 1, d_scale = c.scales ? 0.25 : 1;
  const bool scales_aux = c.scales || c.scales_aux;
  const double aux_scale = scales_aux ? 2 : 1;
  const Numbers a_number(c.scale_type, {1.5}, true), b_number(c.scale_type, {0.5}, true);
  const Numbers c_number(c.scale_type, {c_scale}, true), d_number(c.scale_type, {d_scale}, true);
  const Numbers aux_number(c.scale_type, {aux_scale}, true);
  if (c.scales) {
    desc.set(HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER, a_number.pointer());
    desc.set(HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, b_number.pointer());
    desc.set(HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER, c_number.pointer());
    desc.set(HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER, d_number.pointer());
  }
  if (scales_aux)
    desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, aux_number.pointer());
  std::vector<double> row_scales(size_t(c.m), 1), column_scales(size_t(c.n), 1);
  if (c.scale_vectors) {
    for (size_t i = 0; i < row_scales.size(); ++i)
      row_scales[i] = 0.5 + double(i % 3);
    for (size_t i = 0; i < column_scales.size(); ++i)
      column_scales[i] = 0.25 + double(i % 5);
  }
  const Numbers row_numbers(c.scale_type, row_scales, true);
  const Numbers column_numbers(c.scale_type, column_scales, true);
  if (c.scale_vectors) {
    desc.set(HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT, row_numbers.pointer());
    desc.set(HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT, column_numbers.pointer());
  }
  Elements amax(HIP_R_32F, 1, engine);
  amax.set(0, 1e30);
  amax.upload();
  if (c.amax)
    desc.set(HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER, amax.device());

  const Handle handle;
  const Preference preference;
  hipblasLtMatmulHeuristicResult_t found[2];
  int count = 0;
  LT(hipblasLtMatmulAlgoGetHeuristic(handle, desc, a.layout, b.layout, terms.layout, d.layout,
                                     preference, 2, found, &count));
  REQUIRE(count == 1);
  REQUIRE(found[0].workspaceSize == 0);
  LT(hipblasLtMatmul(handle, desc, alpha.pointer(), a.elements.device(), a.layout,
                     b.elements.device(), b.layout, beta.pointer(), terms.elements.device(),
                     terms.layout, d.elements.device(), d.layout, &found[0].algo, nullptr, 0,
                     nullptr));
  d.elements.download();
  bias.download();
  aux.elements.download();
  amax.download();

  // The reference
  const double epsilon = c.compute == HIPBLAS_COMPUTE_64F ? 0x1p-52 : 0x1p-23;
  const bool exact = c.scale_type == HIP_R_32I;
  std::vector<bool> is_written(before.size(), false);
  std::vector<double> row_sums(size_t(c.m), 0), row_errors(size_t(c.m), 0);
  double largest = 0;
  for (int batch = 0; batch < c.batch; ++batch)
    for (int64_t j = 0; j < c.n; ++j)
      for (int64_t i = 0; i < c.m; ++i) {
        double sum = 0, size = 0;
        for (int64_t l = 0; l < c.k; ++l) {
          const double term = (a_plain ? a.at(i, l, batch) : a.at(l, i, batch)) *
                              (b_plain ? b.at(l, j, batch) : b.at(j, l, batch));
          sum += term;
          size += std::abs(term);
        }
        const double factor = alphas[per_row ? size_t(i) : 0] * a_scale * b_scale *
                              row_scales[size_t(i)] * column_scales[size_t(j)];
        const double addend = c.beta * c_scale * addends[terms.index(i, j, batch)];
        double x = factor * sum + addend;
        size = std::abs(factor) * size + std::abs(addend);
        if (adds_bias(c.epilogue)) {
          x += bias_before[size_t(i)];
          size += std::abs(bias_before[size_t(i)]);
        }
        double error = exact ? 0 : double(c.k + 8) * epsilon * size;
        if (derives(c.epilogue)) {
          const double derivative = gelu_derivative(aux.at(i, j, batch) * aux_scale);
          error = error * std::abs(derivative) + 1e-6 * std::abs(x);
          x *= derivative;
        } else if (writes_aux(c.epilogue)) {
          require_near(aux.at(i, j, batch), x * aux_scale, error * aux_scale, c.d_type);
        }
        x = activated(c.epilogue, x);
        error = 1.2 * error + (exact ? 0 : 4 * epsilon * std::abs(x));
        require_near(d.at(i, j, batch), x * d_scale, error * d_scale,
                     c.in_place ? c.c_type : c.d_type);
        is_written[d.index(i, j, batch)] = true;
        largest = std::max(largest, std::abs(x));
        row_sums[size_t(i)] += x;
        row_errors[size_t(i)] += error;
      }
  for (size_t i = 0; i < before.size(); ++i)
    if (!is_written[i] && d.elements[i] != before[i])
      FAIL("element " << i << " is in a gap and was written");
  if (c.amax)
    require_near(amax[0], largest, largest * 1e-5, HIP_R_32F);
  else
    REQUIRE(amax[0] == double(float(1e30)));

  for (size_t i = 0; i < bias.count(); ++i) {
    double expected = bias_before[i], error = 0;
    if (c.epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD && i < size_t(c.m)) {
      expected = row_sums[i];
      error = row_errors[i];
    } else if ((c.epilogue == HIPBLASLT_EPILOGUE_BGRADA && i < size_t(c.m)) ||
               (c.epilogue == HIPBLASLT_EPILOGUE_BGRADB && i < size_t(c.n))) {
      const auto at = int64_t(i);
      expected = 0;
      for (int64_t l = 0; l < c.k; ++l)
        expected += c.epilogue == HIPBLASLT_EPILOGUE_BGRADA
                        ? (a_plain ? a.at(at, l, 0) : a.at(l, at, 0))
                        : (b_plain ? b.at(l, at, 0) : b.at(at, l, 0));
      error = double(c.k) * epsilon;
    }
    require_near(bias[i], expected, error, bias_type);
  }
}
