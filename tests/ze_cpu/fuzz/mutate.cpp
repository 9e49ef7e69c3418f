#include "mutate.h"

#include <algorithm>
#include <array>
#include <map>

namespace fuzz {
namespace {

constexpr size_t header_words = 5;

struct Instruction {
  size_t at;
  uint32_t length, opcode;
};

std::vector<Instruction> instructions(const Words &words) {
  std::vector<Instruction> found;
  for (size_t at = header_words; at < words.size();) {
    uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      break;
    found.push_back({at, length, words[at] & 0xffff});
    at += length;
  }
  return found;
}

// Instructions that can stand for each other, as far as their form goes.
struct Family {
  uint32_t first, last;
};
constexpr Family families[] = {
    {41, 43},   {109, 124}, {126, 127}, {128, 141}, {154, 163}, {164, 191}, {194, 205},
    {227, 242}, {247, 248}, {259, 271}, {333, 336}, {337, 338}, {340, 344}, {345, 348},
    {349, 364}, {14, 17},   {21, 22},   {23, 24},   {28, 30},   {65, 70},   {77, 84}};

const uint32_t literals[] = {0,     1,        2,          3,          4,         5,    7,    8,
                             9,     15,       16,         17,         31,        32,   33,   63,
                             64,    65,       128,        255,        256,       1024, 4096, 65535,
                             65536, 0x100000, 0x7fffffff, 0x80000000, 0xffffffff};

constexpr uint32_t op_name = 5, op_capability = 17, op_execution_mode = 16, op_type_int = 21,
                   op_type_float = 22, op_type_vector = 23, op_type_pointer = 32, op_constant = 43,
                   op_function = 54, op_variable = 59, op_decorate = 71;

class Mutator {
public:
  Mutator(Words &words, const Words &other, Random &random)
      : w_(words), other_(other), random_(random), all_(instructions(words)) {}

  void run() {
    if (all_.empty()) {
      if (w_.size() < header_words)
        w_.resize(header_words);
      w_.push_back(uint32_t(random_()));
      return;
    }
    switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return use_other_value();
    case 4:
    case 5:
    case 6:
      return change_opcode();
    case 7:
    case 8:
      return change_type();
    case 9:
    case 10:
      return change_constant();
    case 11:
      return change_mode();
    case 12:
      return change_any_word();
    case 13:
      return move_instruction();
    case 14:
      return splice();
    default:
      return erase();
    }
  }

private:
  size_t below(size_t limit) { return random_() % limit; }
  template <class Range> auto &pick(Range &range) { return range[below(std::size(range))]; }

  // An instruction that fits, or nothing.
  template <class Fits> const Instruction *find(Fits fits) {
    size_t begin = below(all_.size());
    for (size_t i = 0; i < all_.size(); ++i) {
      const Instruction &candidate = all_[(begin + i) % all_.size()];
      if (fits(candidate))
        return &candidate;
    }
    return nullptr;
  }
  const Instruction *find_op(std::initializer_list<uint32_t> opcodes) {
    return find([&](const Instruction &i) { return std::ranges::count(opcodes, i.opcode) != 0; });
  }
  // Past names, most of the time: they matter to nobody.
  const Instruction &any() {
    size_t begin = 0;
    while (begin + 1 < all_.size() && all_[begin].opcode <= op_name)
      ++begin;
    return all_[begin + below(all_.size() - begin)];
  }

  static bool has_type_and_result(const Instruction &i) {
    return i.length >= 3 && i.opcode != op_decorate && i.opcode != 62 && i.opcode != 63 &&
           ((i.opcode >= 41 && i.opcode <= 61) || (i.opcode >= 65 && i.opcode <= 216) ||
            (i.opcode >= 227 && i.opcode <= 245) || (i.opcode >= 259 && i.opcode <= 366));
  }

  // An operand becomes another value of the same type.
  void use_other_value() {
    std::map<uint32_t, uint32_t> type_of;
    std::map<uint32_t, std::vector<uint32_t>> of_type;
    for (const Instruction &i : all_)
      if (has_type_and_result(i)) {
        type_of[w_[i.at + 2]] = w_[i.at + 1];
        of_type[w_[i.at + 1]].push_back(w_[i.at + 2]);
      }
    for (int attempt = 0; attempt < 30; ++attempt) {
      const Instruction &i = any();
      if (i.opcode < op_function || i.length < 3)
        continue;
      uint32_t &operand = w_[i.at + 1 + below(i.length - 1)];
      auto type = type_of.find(operand);
      if (type == type_of.end())
        continue;
      operand = pick(of_type[type->second]);
      return;
    }
  }

  void change_opcode() {
    const Family &family = pick(families);
    auto fits = [&](const Instruction &i) {
      return i.opcode >= family.first && i.opcode <= family.last;
    };
    const Instruction *i = find(fits);
    if (!i)
      return;
    uint32_t to = family.first + uint32_t(below(family.last - family.first + 1));
    w_[i->at] = i->length << 16 | to;
  }

  void change_type() {
    const Instruction *i = find_op(
        {op_type_int, op_type_float, op_type_vector, op_type_pointer, op_variable, op_function});
    if (!i || i->length < 3)
      return;
    constexpr uint32_t widths[] = {8, 16, 32, 64, 1, 24, 128}, counts[] = {2, 3, 4, 8, 16, 1, 5};
    switch (i->opcode) {
    case op_type_int:
    case op_type_float:
      w_[i->at + 2] = pick(widths);
      break;
    case op_type_vector:
      w_[i->at + 3] = pick(counts);
      break;
    case op_type_pointer:
      w_[i->at + 2] = uint32_t(below(13));
      break;
    case op_variable:
      w_[i->at + 3] = uint32_t(below(13));
      break;
    default:
      w_[i->at + 3] = uint32_t(below(16));
      break;
    }
  }

  void change_constant() {
    if (const Instruction *i = find_op({op_constant}); i && i->length > 3)
      w_[i->at + 3 + below(i->length - 3)] = pick(literals);
  }

  // Capabilities, execution modes, decorations.
  void change_mode() {
    const Instruction *i = find_op({op_capability, op_execution_mode, op_decorate});
    if (!i || i->length < 2)
      return;
    size_t first = i->opcode == op_capability ? 1 : std::min(2u, i->length - 1);
    w_[i->at + first + below(i->length - first)] = below(2) ? uint32_t(below(80)) : pick(literals);
  }

  void change_any_word() {
    const Instruction &i = any();
    uint32_t &word = w_[i.at + below(i.length)];
    switch (below(4)) {
    case 0:
      word ^= 1u << below(32);
      break;
    case 1:
      word = pick(w_);
      break;
    case 2:
      word += uint32_t(below(9)) - 4;
      break;
    default:
      word = pick(literals);
    }
  }

  void insert(size_t at, Words instruction) {
    w_.insert(w_.begin() + ptrdiff_t(at), instruction.begin(), instruction.end());
  }

  void move_instruction() {
    Instruction i = any();
    Words copy(w_.begin() + ptrdiff_t(i.at), w_.begin() + ptrdiff_t(i.at + i.length));
    size_t to = any().at;
    if (below(2) && copy.size() > 2 && has_type_and_result(i)) {
      copy[2] = w_[3]++; // a copy: with a result of its own
      return insert(below(2) ? i.at + i.length : to, copy);
    }
    w_.erase(w_.begin() + ptrdiff_t(i.at), w_.begin() + ptrdiff_t(i.at + i.length));
    insert(to > i.at ? to - i.length : to, copy);
  }

  void splice() {
    std::vector<Instruction> theirs = instructions(other_);
    if (theirs.empty())
      return;
    const Instruction &from = pick(theirs);
    insert(any().at, Words(other_.begin() + ptrdiff_t(from.at),
                           other_.begin() + ptrdiff_t(from.at + from.length)));
  }

  void erase() {
    const Instruction &i = any();
    size_t length = below(20) ? i.length : w_.size() - i.at;
    w_.erase(w_.begin() + ptrdiff_t(i.at), w_.begin() + ptrdiff_t(i.at + length));
  }

  Words &w_;
  const Words &other_;
  Random &random_;
  const std::vector<Instruction> all_;
};

} // namespace

void mutate(Words &module, const Words &other, Random &random) {
  Mutator(module, other, random).run();
}

} // namespace fuzz
