// Whole numbers as sums of products of symbols.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <map>
#include <optional>

namespace ze_cpu {

/// A product of symbols, which are numbered; sorted. Empty: 1.
using Product = llvm::SmallVector<uint32_t, 2>;

struct Polynomial {
  std::map<Product, int64_t> terms; // none of them zero

  Polynomial() = default;
  explicit Polynomial(int64_t constant) { add({}, constant); }
  static Polynomial of_symbol(uint32_t symbol) {
    Polynomial made;
    made.terms[{symbol}] = 1;
    return made;
  }

  bool operator==(const Polynomial &) const = default;
  bool is_zero() const { return terms.empty(); }
  std::optional<int64_t> constant() const {
    if (terms.empty())
      return 0;
    if (terms.size() == 1 && terms.begin()->first.empty())
      return terms.begin()->second;
    return std::nullopt;
  }

  void add(const Product &product, int64_t factor) {
    const auto at = terms.try_emplace(product, 0).first;
    at->second =
        static_cast<int64_t>(static_cast<uint64_t>(at->second) + static_cast<uint64_t>(factor));
    if (at->second == 0)
      terms.erase(at);
  }
  Polynomial plus(const Polynomial &other, int64_t factor = 1) const {
    Polynomial sum = *this;
    for (const auto &[product, count] : other.terms)
      sum.add(product, times(count, factor));
    return sum;
  }
  Polynomial minus(const Polynomial &other) const { return plus(other, -1); }
  Polynomial scaled(int64_t factor) const { return Polynomial().plus(*this, factor); }
  Polynomial multiplied(const Polynomial &other) const {
    Polynomial result;
    for (const auto &[a, m] : terms)
      for (const auto &[b, n] : other.terms) {
        Product product = a;
        product.append(b.begin(), b.end());
        llvm::sort(product);
        result.add(product, times(m, n));
      }
    return result;
  }

private:
  static int64_t times(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
};

} // namespace ze_cpu
