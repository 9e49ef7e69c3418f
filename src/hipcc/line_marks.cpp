#include "line_marks.h"

#include "../common/marks/line_marks.h"
#include "../common/spirv.h"

#include <map>
#include <string_view>
#include <unordered_map>

namespace chip::hipcc {
namespace {

using namespace spirv;

struct Marks {
  std::map<uint32_t, std::string_view> files;       // of the functions that are marks
  std::unordered_map<uint32_t, uint32_t> constants; // values of those of 32 bits
};

Marks find_marks(const std::vector<uint32_t> &words) {
  Marks marks;
  for_each_instruction(words, [&](const Instruction &instruction) {
    const auto operands = instruction.operands;
    if (instruction.op == op_decorate && operands.size() > 3 && operands[1] == decoration_linkage) {
      const auto name = text_of(operands.subspan(2));
      if (name && name->starts_with(line_marks::prefix))
        marks.files[operands[0]] = name->substr(std::string_view(line_marks::prefix).size());
    } else if (instruction.op == op_constant && operands.size() == 3) {
      marks.constants[operands[1]] = operands[2];
    }
    return true;
  });
  return marks;
}

void add_string(std::vector<uint32_t> &words, uint32_t id, std::string_view text) {
  const size_t length = text.size() / sizeof(uint32_t) + 1;
  const size_t at = words.size();
  words.resize(at + 2 + length);
  words[at] = static_cast<uint32_t>(2 + length) << 16 | op_string;
  words[at + 1] = id;
  std::memcpy(&words[at + 2], text.data(), text.size());
}

} // namespace

std::vector<uint32_t> with_lines(std::vector<uint32_t> words) {
  const Marks marks = find_marks(words);
  if (marks.files.empty())
    return words;
  constexpr size_t bound = 3; // the word of the header that no number reaches
  std::vector<uint32_t> made(words.begin(), words.begin() + header_words);
  std::map<uint32_t, uint32_t> strings; // by function
  bool has_strings = false, in_mark = false;
  const bool well_formed = for_each_instruction(words, [&](const Instruction &instruction) {
    const auto operands = instruction.operands;
    const Op op = instruction.op;
    // Strings come before names.
    if (!has_strings && (op == op_name || op == op_member_name || follows_names(op))) {
      has_strings = true;
      for (const auto &[function, file] : marks.files) {
        strings[function] = made[bound]++;
        add_string(made, strings[function], file);
      }
    }
    const auto is_mark = [&](size_t operand) {
      return operands.size() > operand && marks.files.contains(operands[operand]);
    };
    if ((op == op_name || op == op_decorate) && is_mark(0))
      return true;
    if (op == op_function)
      in_mark = is_mark(1);
    if (in_mark) {
      in_mark = op != op_function_end;
      return true;
    }
    if (op == op_function_call && is_mark(2)) {
      const auto constant = [&](size_t operand) {
        return operands.size() > operand ? marks.constants.find(operands[operand])
                                         : marks.constants.end();
      };
      const auto line = constant(3), column = constant(4);
      if (line != marks.constants.end()) // a column that is not known is a null constant
        made.insert(made.end(), {4u << 16 | op_line, strings[operands[2]], line->second,
                                 column == marks.constants.end() ? 0 : column->second});
      return true;
    }
    made.insert(made.end(), words.begin() + static_cast<ptrdiff_t>(instruction.begin),
                words.begin() + static_cast<ptrdiff_t>(instruction.end));
    return true;
  });
  return well_formed ? made : words;
}

} // namespace chip::hipcc
