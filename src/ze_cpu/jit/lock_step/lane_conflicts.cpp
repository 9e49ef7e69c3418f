#include "lane_conflicts.h"

#include <llvm/IR/PatternMatch.h>

#include <numeric>

namespace ze_cpu {
namespace {

using Kind = LaneNumbers::Symbol::Kind;
using Changes = llvm::DenseMap<uint32_t, uint32_t>;

Polynomial renamed(const Polynomial &number, const Changes &changes) {
  if (changes.empty())
    return number;
  Polynomial result;
  for (const auto &[product, factor] : number.terms) {
    Product with = product;
    for (uint32_t &symbol : with)
      if (const auto change = changes.find(symbol); change != changes.end())
        symbol = change->second;
    llvm::sort(with);
    result.add(with, factor);
  }
  return result;
}

/// The factor by which `b` must be multiplied to be `a`; 0: none.
int64_t multiple(const Polynomial &a, const Polynomial &b) {
  if (a.is_zero() || b.is_zero() || a.terms.size() != b.terms.size())
    return 0;
  const int64_t factor = a.terms.begin()->second / b.terms.begin()->second;
  return factor != 0 && b.scaled(factor) == a ? factor : 0;
}

bool divides(const Product &divisor, const Product &product) {
  return std::includes(product.begin(), product.end(), divisor.begin(), divisor.end());
}

/// The symbols that all products have.
Product common_factor(llvm::ArrayRef<const Polynomial *> numbers) {
  std::optional<Product> common;
  for (const Polynomial *number : numbers)
    for (const auto &[product, factor] : number->terms) {
      if (!common) {
        common = product;
        continue;
      }
      Product both;
      std::set_intersection(common->begin(), common->end(), product.begin(), product.end(),
                            std::back_inserter(both));
      common = both;
    }
  return common.value_or(Product());
}

uint64_t magnitude(int64_t number) {
  return number < 0 ? uint64_t(0) - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

} // namespace

LaneAccess LaneConflicts::describe(const llvm::Instruction &access, const llvm::Value *pointer,
                                   uint64_t bytes) {
  using namespace llvm::PatternMatch;
  LaneAccess made{access.getParent(), numbers_.address(pointer), bytes, {}};
  auto add = [&](this auto &self, const Polynomial &number) -> void {
    for (const auto &[product, factor] : number.terms)
      for (uint32_t symbol : product) {
        if (numbers_.symbol(symbol).kind == Kind::uniform && numbers_.symbol(symbol).definition &&
            !llvm::is_contained(made.symbols, symbol))
          made.symbols.push_back(symbol);
        if (const auto *remainder = numbers_.remainder(symbol)) {
          self(remainder->dividend);
          self(remainder->divisor);
        }
      }
  };
  add(made.address.offset);
  const LaneNumbers::Guards &guards = numbers_.guards(access.getParent());
  for (const Polynomial &guard : guards.not_positive)
    add(guard);
  for (const Polynomial &guard : guards.zero)
    add(guard);
  // And of the masks by which lanes are pairs.
  for (const auto &[greater, smaller] : guards.greater)
    for (const llvm::Value *number : {greater, smaller}) {
      const llvm::Value *left, *right;
      if (!match(number, m_Xor(m_Value(left), m_Value(right))))
        continue;
      add(numbers_.number(left));
      add(numbers_.number(right));
    }
  return made;
}

LaneConflicts::Parts LaneConflicts::split(const Polynomial &number) const {
  Parts parts;
  for (const auto &[product, factor] : number.terms) {
    unsigned coordinates = 0, unknown = 0;
    for (uint32_t symbol : product) {
      // Those that were renamed are uniform.
      const Kind kind =
          symbol < numbers_.symbol_count() ? numbers_.symbol(symbol).kind : Kind::uniform;
      coordinates += kind < Kind::uniform;
      unknown += kind == Kind::varying;
    }
    (unknown || coordinates > 1 ? parts.unknown
     : coordinates              ? parts.of_lane
                                : parts.uniform)
        .add(product, factor);
  }
  return parts;
}

/// Two lanes' numbers are never closer than `bytes`. Strides that the program computes are taken
/// not to be zero, and places in rows of an array to be in those rows.
bool LaneConflicts::tells_lanes_apart(const Polynomial &of_lane, uint64_t bytes) const {
  bool has[4] = {};
  for (const auto &[product, factor] : of_lane.terms) {
    if (magnitude(factor) < bytes)
      return false;
    for (uint32_t symbol : product)
      if (symbol <= static_cast<uint32_t>(Kind::lane))
        has[symbol] = true;
  }
  if (has[static_cast<size_t>(Kind::lane)])
    return of_lane.terms.size() == 1;
  for (size_t i = 0; i < 3; ++i)
    if (!has[i] && numbers_.uses(static_cast<Kind>(i)))
      return false;
  return has[0] || has[1] || has[2];
}

/// By how much the numbers of neighbouring lanes differ, if nothing but their order decides that.
std::optional<int64_t> LaneConflicts::single_stride(const Polynomial &of_lane) const {
  if (of_lane.terms.size() != 1)
    return std::nullopt;
  const auto &[product, factor] = *of_lane.terms.begin();
  if (product.size() != 1)
    return std::nullopt;
  const Kind kind = numbers_.symbol(product.front()).kind;
  if (kind == Kind::lane || (kind == Kind::x && numbers_.is_line()))
    return factor;
  return std::nullopt;
}

/// The conditions around both accesses hold for one lane only, the same for both.
bool LaneConflicts::is_same_lane(const Side &a, const Side &b) const {
  bool fixed[4] = {};
  for (const Polynomial &zero : a.guards.zero) {
    const Parts parts = split(zero);
    if (!parts.unknown.is_zero() || parts.of_lane.is_zero())
      continue;
    if (!llvm::is_contained(b.guards.zero, zero) &&
        !llvm::is_contained(b.guards.zero, zero.scaled(-1)))
      continue;
    if (tells_lanes_apart(parts.of_lane, 1))
      return true;
    if (parts.of_lane.terms.size() == 1)
      for (uint32_t symbol : parts.of_lane.terms.begin()->first)
        if (symbol <= static_cast<uint32_t>(Kind::lane))
          fixed[symbol] = true;
  }
  bool all = fixed[0] || fixed[1] || fixed[2];
  for (size_t i = 0; i < 3; ++i)
    all &= fixed[i] || !numbers_.uses(static_cast<Kind>(i));
  return all;
}

bool LaneConflicts::is_natural(const Polynomial &number) const {
  return llvm::all_of(number.terms, [&](const auto &term) {
    return term.second > 0 && llvm::none_of(term.first, [&](uint32_t symbol) {
             return symbol >= numbers_.symbol_count() || numbers_.symbol(symbol).is_negative;
           });
  });
}

/// What the lane's part of an offset is not above, or not below.
std::vector<Polynomial> LaneConflicts::bounds(const Side &side, bool upper) const {
  const Polynomial &of_lane = side.offset.of_lane;
  std::vector<Polynomial> found;
  if (of_lane.is_zero())
    return {Polynomial()};
  if (is_natural(upper ? of_lane.scaled(-1) : of_lane))
    found.push_back(Polynomial());
  for (const Polynomial &guard : side.guards.not_positive) {
    const Parts parts = split(guard);
    if (!parts.unknown.is_zero())
      continue;
    const int64_t factor = multiple(of_lane, parts.of_lane);
    if (upper ? factor > 0 : factor < 0)
      found.push_back(parts.uniform.scaled(-factor));
  }
  return found;
}

bool LaneConflicts::are_apart_by_bounds(const Side &low, const Side &high) const {
  if (!low.offset.unknown.is_zero() || !high.offset.unknown.is_zero())
    return false;
  const std::vector<Polynomial> tops = bounds(low, true), bottoms = bounds(high, false);
  for (const Polynomial &top : tops)
    for (const Polynomial &bottom : bottoms) {
      const Polynomial room = high.offset.uniform.plus(bottom)
                                  .minus(low.offset.uniform)
                                  .minus(top)
                                  .minus(Polynomial(static_cast<int64_t>(low.bytes)));
      if (is_natural(room))
        return true;
    }
  return false;
}

/// All that differs between lanes is a multiple of something that the rest is none of.
bool LaneConflicts::are_apart_by_remainder(const Side &a, const Side &b) const {
  const Polynomial rest = a.offset.uniform.minus(b.offset.uniform);
  if (rest.is_zero())
    return false;
  const Polynomial *const parts[] = {&a.offset.of_lane, &b.offset.of_lane, &a.offset.unknown,
                                     &b.offset.unknown};
  const Product common = common_factor({parts[0], parts[1], parts[2], parts[3], &rest});
  if (rest.terms.size() != 1 || rest.terms.begin()->first != common)
    return false;
  uint64_t divisor = 0;
  for (const Polynomial *part : parts)
    for (const auto &[product, factor] : part->terms)
      divisor = std::gcd(divisor, magnitude(factor));
  const int64_t constant = rest.terms.begin()->second;
  if (divisor == 0)
    return common.empty() && magnitude(constant) >= (constant > 0 ? b.bytes : a.bytes);
  const auto signed_divisor = static_cast<int64_t>(divisor);
  const auto remainder =
      static_cast<uint64_t>((constant % signed_divisor + signed_divisor) % signed_divisor);
  return remainder >= b.bytes && divisor - remainder >= a.bytes;
}

/// How far what is the same for all lanes takes the two from each other at least.
uint64_t LaneConflicts::least_distance(const Side &a, const Side &b) const {
  const Polynomial rest = a.offset.uniform.minus(b.offset.uniform);
  if (const std::optional<int64_t> distance = rest.constant())
    return magnitude(*distance);
  // Whole numbers of something that they have different ones of: of remainders of numbers that
  // differ by another number than a multiple of the divisor.
  for (const auto &[product, factor] : a.offset.uniform.terms)
    for (const auto &[other_product, other_factor] : b.offset.uniform.terms) {
      if (product.size() != 1 || other_product.size() != 1 || factor != other_factor)
        continue;
      Polynomial left = rest;
      left.add(product, -factor);
      left.add(other_product, factor);
      const auto *one = numbers_.remainder(product.front());
      const auto *other = numbers_.remainder(other_product.front() & ~is_renamed);
      if (!one || !other || !left.constant())
        continue;
      const std::optional<int64_t> divisor = one->divisor.constant(),
                                   difference = renamed(one->dividend, *a.names)
                                                    .minus(renamed(other->dividend, *b.names))
                                                    .constant();
      const uint64_t beside = magnitude(*left.constant());
      if (divisor && one->divisor == other->divisor && *divisor != 0 && difference &&
          *difference % *divisor != 0 && magnitude(factor) > beside)
        return magnitude(factor) - beside;
    }
  return 0;
}

/// Whether each lane has the same place of its own, or places that are further apart than the lanes
/// of a sub-group reach; also where whole multiples of more than that are added.
bool LaneConflicts::are_own_slots(const Side &a, const Side &b) {
  if (a.offset.of_lane != b.offset.of_lane)
    return false;
  const uint64_t bytes = std::max(a.bytes, b.bytes);
  const Polynomial rest = a.offset.uniform.minus(b.offset.uniform);
  const std::optional<int64_t> stride = single_stride(a.offset.of_lane);
  const uint64_t reach =
      stride ? magnitude(*stride) * (numbers_.sub_group_size() - 1) + bytes : UINT64_MAX;
  if (a.offset.unknown.is_zero() && b.offset.unknown.is_zero()) {
    if (rest.is_zero())
      return tells_lanes_apart(a.offset.of_lane, bytes);
    return least_distance(a, b) >= reach;
  }
  if (!stride || magnitude(*stride) < bytes)
    return false;
  const Polynomial *const unknown[] = {&a.offset.unknown, &b.offset.unknown, &rest};
  uint64_t divisor = 0;
  bool by_width = true;
  const Product width{numbers_.group_width()};
  for (const Polynomial *part : unknown)
    for (const auto &[product, factor] : part->terms) {
      divisor = std::gcd(divisor, magnitude(factor));
      by_width &= divides(width, product);
    }
  return divisor >= reach || (by_width && divisor % magnitude(*stride) == 0 && numbers_.is_line() &&
                              numbers_.uses(Kind::x));
}

/// Lanes t and t ^ j, of which only the lower or only the higher one acts for both: each place
/// belongs to one such pair.
bool LaneConflicts::are_pairs(const LaneAccess &first, const LaneAccess &second,
                              const Changes &changes) {
  using namespace llvm::PatternMatch;
  const auto &of_first = numbers_.guards(first.block).greater,
             &of_second = numbers_.guards(second.block).greater;
  for (const auto &[greater, smaller] : of_first) {
    if (!llvm::is_contained(of_second, std::pair(greater, smaller)))
      continue;
    for (const auto &[partner, self] : {std::pair(greater, smaller), std::pair(smaller, greater)}) {
      const llvm::Value *left, *right;
      const Polynomial own = numbers_.number(self), other = numbers_.number(partner);
      if (!match(partner, m_Xor(m_Value(left), m_Value(right))) || !tells_lanes_apart(own, 1) ||
          !single_stride(own))
        continue;
      const llvm::Value *mask = numbers_.number(left) == own    ? right
                                : numbers_.number(right) == own ? left
                                                                : nullptr;
      if (!mask || !numbers_.is_uniform(mask))
        continue;
      bool same_mask = true;
      for (const auto &[product, factor] : numbers_.number(mask).terms)
        for (uint32_t symbol : product)
          same_mask &= !changes.contains(symbol);
      if (!same_mask)
        continue;
      // Both are at the same distance from a multiple of either number.
      auto rest = [&](const LaneAccess &access) -> std::optional<std::pair<int64_t, Polynomial>> {
        for (const Polynomial *number : {&own, &other}) {
          const auto &[product, one] = *number->terms.begin();
          const auto at = access.address.offset.terms.find(product);
          if (at == access.address.offset.terms.end() || one != 1 || number->terms.size() != 1 ||
              magnitude(at->second) < access.bytes)
            continue;
          return std::pair(at->second, access.address.offset.plus(*number, -at->second));
        }
        return std::nullopt;
      };
      const auto a = rest(first), b = rest(second);
      if (a && b && a->first == b->first && a->second == renamed(b->second, changes) &&
          split(a->second).unknown.is_zero() && split(a->second).of_lane.is_zero())
        return true;
    }
  }
  return false;
}

/// Numbers made of a number of the lane's own by putting other digits between those that a division
/// leaves and the rest, `2 * t - t % n` or that plus `n`: no other lane makes one of them.
bool LaneConflicts::are_own_digits(const LaneAccess &first, const LaneAccess &second,
                                   const Changes &changes) const {
  const Polynomial &a = first.address.offset, &b = second.address.offset;
  const auto factor = [](const Polynomial &number, const Product &product) {
    const auto found = number.terms.find(product);
    return found == number.terms.end() ? 0 : found->second;
  };
  const auto changed = [&](const Polynomial &number) { return renamed(number, changes) != number; };
  for (const auto &[digits, of_digits] : a.terms) {
    const auto *remainder = digits.size() == 1 ? numbers_.remainder(digits.front()) : nullptr;
    if (!remainder)
      continue;
    const auto &[dividend, divisor] = *remainder;
    const Parts own = split(dividend);
    if (own.of_lane.is_zero() || !own.unknown.is_zero() || !tells_lanes_apart(own.of_lane, 1) ||
        changed(dividend) || changed(divisor))
      continue;
    // So many of the dividend is what both would be without the other digits.
    const auto &[coordinate, one] = *own.of_lane.terms.begin();
    const int64_t whole = factor(a, coordinate) / one, unit = whole + of_digits;
    if (whole == 0 || magnitude(unit) < std::max(first.bytes, second.bytes) || whole % unit != 0)
      continue;
    const auto rest = [&](const Polynomial &number) {
      Polynomial left = number.plus(dividend, -whole);
      left.add(digits, -of_digits);
      return left;
    };
    const Polynomial of_a = rest(a), of_b = rest(b);
    if (split(of_a).uniform != of_a)
      continue;
    const Polynomial difference = of_a.minus(renamed(of_b, changes));
    const int64_t steps = multiple(difference, divisor);
    if (difference.is_zero() ||
        (steps % unit == 0 && steps != 0 && magnitude(steps / unit) < magnitude(whole / unit)))
      return true;
  }
  return false;
}

/// Its own slot, of a lane whose number a condition tells: `if (t == 0) s[0]`.
bool LaneConflicts::is_own_slot_of_known_lane(const Side &known, const Side &other) {
  for (const Polynomial &zero : known.guards.zero) {
    const Parts parts = split(zero);
    const int64_t factor = multiple(other.offset.of_lane, parts.of_lane);
    if (factor == 0 || !parts.unknown.is_zero() || !known.offset.of_lane.is_zero())
      continue;
    Side written_so = known;
    written_so.offset.of_lane = other.offset.of_lane;
    written_so.offset.uniform = known.offset.uniform.plus(parts.uniform, factor);
    if (are_own_slots(written_so, other))
      return true;
  }
  return false;
}

bool LaneConflicts::may_meet(const LaneAccess &first, const LaneAccess &second,
                             const Changes &changes) {
  if (!first.address.object || !second.address.object)
    return true;
  if (first.address.object != second.address.object)
    return false;
  auto side = [&](const LaneAccess &access, const Changes &names) {
    Side made{split(renamed(access.address.offset, names)), access.bytes, {}, &names};
    const LaneNumbers::Guards &guards = numbers_.guards(access.block);
    for (const Polynomial &guard : guards.not_positive)
      made.guards.not_positive.push_back(renamed(guard, names));
    for (const Polynomial &guard : guards.zero)
      made.guards.zero.push_back(renamed(guard, names));
    return made;
  };
  const Changes none;
  const Side a = side(first, none), b = side(second, changes);
  if (is_same_lane(a, b))
    return false;
  if (first.bytes == 0 || second.bytes == 0)
    return true;
  if (is_own_slot_of_known_lane(a, b) || is_own_slot_of_known_lane(b, a))
    return false;
  return !are_own_slots(a, b) && !are_apart_by_remainder(a, b) && !are_apart_by_bounds(a, b) &&
         !are_apart_by_bounds(b, a) && !are_pairs(first, second, changes) &&
         !are_own_digits(first, second, changes);
}

} // namespace ze_cpu
