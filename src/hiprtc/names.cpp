#include "names.h"

#include "error.h"

#include <charconv>
#include <format>

namespace chip::hiprtc {
namespace {

constexpr std::string_view variable = "__chip_name_expression_";

// Of `kernel<int>`, `&variable` and `variable`, the address; casts, which choose among overloads,
// have it already.
std::string address_of(std::string_view expression) {
  const size_t begin = expression.find_first_not_of(" \t"),
               end = expression.find_last_not_of(" \t") + 1;
  if (begin == expression.npos)
    return {};
  expression = expression.substr(begin, end - begin);
  if (expression.starts_with('(') || expression.ends_with(')'))
    return std::string(expression);
  return (expression.starts_with('&') ? "" : "&") + std::string(expression);
}

// LLVM writes names that are not plain in quotes, with bytes as \XX.
std::string read_name(std::string_view text) {
  if (!text.starts_with('"'))
    return std::string(text.substr(0, text.find_first_of(" ,)\n")));
  std::string name;
  for (size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    unsigned char byte = static_cast<unsigned char>(text[i]);
    if (byte == '\\' && i + 2 < text.size()) {
      std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      i += 2;
    }
    name += static_cast<char>(byte);
  }
  return name;
}

} // namespace

std::string declarations_for_names(std::span<const std::string> expressions) {
  if (expressions.empty())
    return {};
  std::string text =
      "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Weverything\"\n";
  for (size_t i = 0; i < expressions.size(); ++i)
    text += std::format(
        "#line 1 \"name expression\"\n"
        "static __device__ __attribute__((used)) const void *const {}{} = (const void *){};\n",
        variable, i, address_of(expressions[i]));
  return text + "#pragma clang diagnostic pop\n";
}

std::map<std::string, std::string> read_names(std::string_view module,
                                              std::span<const std::string> expressions) {
  std::map<std::string, std::string> names;
  // @_ZL24__chip_name_expression_0 = internal addrspace(1) constant ptr addrspace(4) addrspacecast
  // (ptr @_Z1kPi to ...
  for (size_t at = 0; at < module.size();) {
    const size_t end = std::min(module.find('\n', at), module.size());
    const std::string_view line = module.substr(at, end - at);
    at = end + 1;
    const size_t equals = line.find(" = ");
    if (!line.starts_with('@') || equals == line.npos)
      continue;
    const size_t mark = line.substr(0, equals).find(variable);
    if (mark == line.npos)
      continue;
    size_t number = 0;
    const char *digits = line.data() + mark + variable.size();
    std::from_chars(digits, line.data() + equals, number);
    const size_t symbol = line.find('@', equals);
    if (number < expressions.size() && symbol != line.npos)
      names.emplace(expressions[number], read_name(line.substr(symbol + 1)));
  }
  for (const std::string &expression : expressions)
    if (!names.contains(expression))
      throw Error(
          HIPRTC_ERROR_COMPILATION,
          std::format("error: '{}' is not the name of a kernel or a variable on the device\n",
                      expression));
  return names;
}

} // namespace chip::hiprtc
