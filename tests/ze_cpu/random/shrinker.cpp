#include "shrinker.h"

#include <algorithm>

namespace random_kernels {
namespace {

using Fails = std::function<bool(const Kernel &)>;

// Calls visit(block, index) for each statement, outer ones first, until it returns true.
template <class Visit> bool visit_statements(Block &block, const Visit &visit) {
  for (size_t i = 0; i < block.size(); ++i)
    if (visit(block, i) || visit_statements(block[i].body, visit) ||
        visit_statements(block[i].otherwise, visit))
      return true;
  return false;
}

template <class Visit> bool visit_expressions(Expr &e, const Visit &visit) {
  if (visit(e))
    return true;
  return std::ranges::any_of(e.operands, [&](Expr &o) { return visit_expressions(o, visit); });
}

// The part of a loop's count that may become anything: what is around it keeps the count small.
Expr &free_part(Expr &count) {
  Expr *part = &count;
  while (part->kind == ExprKind::add || part->kind == ExprKind::bit_and) {
    bool limits = part->kind == ExprKind::bit_and;
    part = &part->operands[0];
    if (limits)
      break;
  }
  return *part;
}

// All but what keeps a jump's condition from being decided by the compiler, and loops short.
template <class Visit> bool visit_expressions(Kernel &kernel, const Visit &visit) {
  return visit_statements(kernel.body, [&](Block &block, size_t i) {
    Statement &s = block[i];
    if (s.kind == StatementKind::jump && s.a.kind == ExprKind::equal) // else no chance
      return visit_expressions(s.a.operands[0].operands[0].operands[1], visit);
    if (s.kind == StatementKind::strided_loop)
      return visit_expressions(s.start, visit) || visit_expressions(s.b, visit);
    Expr &a = s.kind == StatementKind::loop ? free_part(s.a) : s.a;
    return visit_expressions(a, visit) || visit_expressions(s.b, visit);
  });
}

bool leaves_loop(const Block &block) {
  return std::ranges::any_of(block, [](const Statement &s) {
    if (s.kind == StatementKind::loop || s.kind == StatementKind::strided_loop)
      return false;
    bool own = s.kind == StatementKind::jump && s.jump != JumpKind::return_kernel;
    return own || leaves_loop(s.body) || leaves_loop(s.otherwise);
  });
}

bool reads_shared(const Expr &e) {
  return e.kind == ExprKind::shared || e.kind == ExprKind::table ||
         std::ranges::any_of(e.operands, reads_shared);
}
bool reads_shared(const Block &block) {
  return std::ranges::any_of(block, [](const Statement &s) {
    return reads_shared(s.a) || reads_shared(s.b) || reads_shared(s.body) ||
           reads_shared(s.otherwise);
  });
}

bool can_be_its_body(const Statement &s) {
  switch (s.kind) {
  case StatementKind::if_else:
    return true;
  case StatementKind::loop:
  case StatementKind::strided_loop:
    return !leaves_loop(s.body);
  case StatementKind::share:
  case StatementKind::fill:
    return !reads_shared(s.body);
  case StatementKind::relay:
  case StatementKind::turns:
  case StatementKind::look_back:
  case StatementKind::lock:
    return true;
  default:
    return false;
  }
}

class Shrinker {
public:
  Shrinker(Kernel kernel, const Fails &fails) : best_(std::move(kernel)), fails_(fails) {}

  Kernel run() {
    do {
      smaller_ = false;
      shrink_shape();
      remove_statements();
      simplify_expressions();
    } while (smaller_);
    return std::move(best_);
  }

private:
  bool accept(Kernel candidate) {
    if (!fails_(candidate))
      return false;
    best_ = std::move(candidate);
    return smaller_ = true;
  }

  template <class Change> bool attempt(Change change) {
    Kernel candidate = best_;
    change(candidate);
    return accept(std::move(candidate));
  }

  void shrink_shape() {
    for (int i = 0; i < 3; ++i) {
      if (best_.groups[i] > 1)
        attempt([&](Kernel &k) { k.groups[i] = 1; });
      while (best_.group_size[i] > 1 && (attempt([&](Kernel &k) { k.group_size[i] /= 2; }) ||
                                         attempt([&](Kernel &k) { --k.group_size[i]; }))) {
      }
    }
    for (uint32_t i : {0u, 1u})
      if (best_.arguments[i])
        attempt([&](Kernel &k) { k.arguments[i] = 0; });
    if (best_.size_is_known)
      attempt([](Kernel &k) { k.size_is_known = false; });
    if (best_.takes_struct)
      attempt([](Kernel &k) { k.takes_struct = false; });
    if (best_.restricted)
      attempt([](Kernel &k) { k.restricted = false; });
  }

  // Applies `change` to the statement with this number in visiting order; false: there is none.
  template <class Change> static bool change_statement(Kernel &k, size_t number, Change change) {
    return visit_statements(k.body, [&](Block &block, size_t i) {
      if (number-- > 0)
        return false;
      change(block, i);
      return true;
    });
  }

  void remove_statements() {
    for (size_t chunk : {16, 8, 4, 2, 1})
      for (size_t number = 0;;) {
        Kernel candidate = best_;
        bool there = change_statement(candidate, number, [&](Block &block, size_t i) {
          block.erase(block.begin() + ptrdiff_t(i),
                      block.begin() + ptrdiff_t(std::min(i + chunk, block.size())));
        });
        if (!there)
          break;
        if (!accept(std::move(candidate)))
          ++number;
      }
    for (uint32_t count : {1, 2})
      for (size_t number = 0;; ++number) {
        Kernel candidate = best_;
        bool changed = false;
        bool there = change_statement(candidate, number, [&](Block &block, size_t i) {
          changed = block[i].kind == StatementKind::loop && block[i].a.kind != ExprKind::constant;
          if (changed)
            block[i].a = {.kind = ExprKind::constant, .value = count};
        });
        if (!there)
          break;
        if (changed)
          accept(std::move(candidate));
      }
    for (size_t number = 0;;) {
      Kernel candidate = best_;
      bool changed = false;
      bool there = change_statement(candidate, number, [&](Block &block, size_t i) {
        if (!can_be_its_body(block[i]))
          return;
        changed = true;
        Statement s = std::move(block[i]);
        auto at = block.erase(block.begin() + ptrdiff_t(i));
        at = block.insert(at, s.body.begin(), s.body.end());
        block.insert(at + ptrdiff_t(s.body.size()), s.otherwise.begin(), s.otherwise.end());
      });
      if (!there)
        break;
      if (!changed || !accept(std::move(candidate)))
        ++number;
    }
  }

  void simplify_expressions() {
    for (size_t number = 0;; ++number) {
      // Replacements of one expression: constants, then its operands.
      for (size_t way = 0;; ++way) {
        Kernel candidate = best_;
        size_t left = number;
        bool changed = false, possible = false;
        bool there = visit_expressions(candidate, [&](Expr &e) {
          if (left-- > 0)
            return false;
          possible = way < 2 + e.operands.size();
          if (way < 2 && e.kind != ExprKind::constant) {
            e = {.kind = ExprKind::constant, .type = e.type, .value = way};
            changed = true;
          } else if (way >= 2 && possible && e.operands[way - 2].type == e.type) {
            Expr operand = e.operands[way - 2];
            e = std::move(operand);
            changed = true;
          }
          return true;
        });
        if (!there)
          return;
        if (!possible || (changed && accept(std::move(candidate))))
          break;
      }
    }
  }

  Kernel best_;
  const Fails &fails_;
  bool smaller_ = false;
};

} // namespace

Kernel shrink(Kernel kernel, const Fails &fails) {
  return Shrinker(std::move(kernel), fails).run();
}

} // namespace random_kernels
