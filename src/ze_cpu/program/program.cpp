// A built program: compiles a kernel when it is first asked for.
#include "cache_key.h"
#include "compiler.h"
#include "linker.h"
#include "requests.h"
#include "serialize.h"

#include "../../common/align.h"
#include "../../common/object_cache.h"
#include "../contract/kernel_code.h"
#include "../exec/checking.h"

#include <deque>
#include <mutex>

namespace ze_cpu {

using disk_cache::ObjectCache;

namespace {

// Room below what a kernel is known to need: functions of the C library, and the scheduler's own
// frames.
constexpr uint32_t stack_margin = 16 * 1024;

class CompiledProgram final : public Program {
public:
  CompiledProgram(ModuleIr ir, const Hash &key, ObjectCache cache, Requests requests)
      : ir_(std::move(ir)), key_(key), cache_(std::move(cache)), requests_(std::move(requests)),
        kernels_(ir_.kernels.size()) {
    for (const ModuleIr::Kernel &kernel : ir_.kernels)
      infos_.push_back(kernel.info);
  }

  std::span<const KernelInfo> kernels() const override { return infos_; }

  std::expected<const ze_driver::CompiledKernel *, std::string> kernel(size_t index) override {
    if (index >= kernels_.size())
      return std::unexpected("there is no kernel " + std::to_string(index));
    Kernel &kernel = kernels_[index];
    std::lock_guard lock(kernel.mutex);
    if (!kernel.tried) {
      kernel.tried = true;
      kernel.error = protect([&] { return make_kernel(index, UnitKind::kernel, kernel.code); });
    }
    if (!kernel.error.empty())
      return std::unexpected("kernel " + infos_[index].name + ": " + kernel.error);
    return &kernel.code;
  }

  std::expected<const ze_driver::CompiledKernel *, std::string>
  kernel_for(size_t index, const uint32_t (&group_size)[3]) override {
    Kernel &kernel = kernels_[index];
    const KernelCode &usual = kernel.code;
    const bool fits = runs(usual, group_size), in_columns = usual.of_columns == fits,
               are_whole = group_size[in_columns] % usual.sub_group_size == 0; // sub-groups in rows
    if (fits && (are_whole || !usual.has_small_parts))
      return &usual;
    Variant &variant = kernel.variants[in_columns][are_whole];
    std::lock_guard lock(kernel.mutex);
    if (!variant.tried) {
      variant.tried = true;
      constexpr UnitKind kinds[2][2] = {
          {UnitKind::kernel_of_rows_for_parts, UnitKind::kernel_of_rows},
          {UnitKind::kernel_of_columns_for_parts, UnitKind::kernel_of_columns}};
      variant.error =
          protect([&] { return make_kernel(index, kinds[in_columns][are_whole], variant.code); });
    }
    if (variant.error.empty())
      return &variant.code;
    if (fits || !usual.of_columns)
      return &usual; // slower, and right
    return std::unexpected("kernel " + infos_[index].name + ": " + variant.error);
  }

  std::optional<GlobalVariable> global(std::string_view name) override {
    auto found = ir_.globals.find(name);
    if (found == ir_.globals.end() || !shared())
      return std::nullopt;
    void *address = linker_.find(found->second.symbol);
    if (!address)
      return std::nullopt;
    return GlobalVariable{address, found->second.bytes};
  }

  std::vector<ProgramVariable> variables() override {
    std::vector<ProgramVariable> found;
    if (!shared())
      return found;
    for (const auto &[name, variable] : ir_.variables)
      if (const void *address = linker_.find(variable.symbol))
        found.push_back({name, address, variable.bytes});
    return found;
  }

  void *function(std::string_view name) override {
    auto found = ir_.exported_functions.find(name);
    if (found == ir_.exported_functions.end() || !shared())
      return nullptr;
    const std::string &symbol = found->second;
    if (ir_.shared_functions.contains(symbol))
      return linker_.find(symbol);
    std::lock_guard lock(functions_mutex_);
    if (functions_.insert(symbol).second) {
      std::string error = protect([&]() -> std::string {
        auto unit = unit_of(UnitKind::function, symbol);
        if (!unit)
          return unit.error();
        linker_.add(std::move(unit->object));
        return {};
      });
      if (!error.empty())
        return nullptr;
    }
    return linker_.find(symbol);
  }

  std::span<const std::string> imports() const override { return ir_.imports; }

  std::expected<std::unique_ptr<Program>, std::string>
  link(std::span<const Program *const> others, std::span<Program *const> providers) const override {
    std::expected<std::unique_ptr<Program>, std::string> linked;
    if (std::string error = protect([&] { return link_with(others, providers, linked); });
        !error.empty())
      return std::unexpected(std::move(error));
    return linked;
  }

  /// Compiles the variables; the error is empty when there is none.
  std::string prepare() { return !ir_.imports.empty() || shared() ? std::string() : shared_error_; }

private:
  struct Variant {
    bool tried = false;
    std::string error;
    KernelCode code;
  };

  struct Kernel : Variant {
    std::mutex mutex;
    Variant variants[2][2]; // of columns; for whole sub-groups
  };

  // Runs `work`, which returns an error text, so that no exception gets out.
  template <class Work> static std::string protect(Work &&work) {
    try {
      return work();
    } catch (const std::exception &exception) {
      return exception.what();
    }
  }

  // Takes the unit from the cache, or compiles it and keeps it there.
  std::expected<Unit, std::string> unit_of(UnitKind kind, std::string_view symbol) {
    const Hash key = unit_key(key_, kind, symbol);
    if (const auto kept = cache_.find(key))
      if (auto unit = deserialize<Unit>(*kept))
        return std::move(*unit);
    std::expected<Unit, std::string> unit = requests_.unit(key_, ir_, kind, symbol, shared_unit_);
    if (unit)
      cache_.store(key, serialize(*unit));
    return unit;
  }

  bool shared() {
    std::lock_guard lock(shared_mutex_);
    if (!shared_tried_) {
      shared_tried_ = true;
      shared_error_ = protect([&]() -> std::string {
        if (ir_.variables.empty() && ir_.shared_functions.empty())
          return {};
        auto unit = unit_of(UnitKind::shared, {});
        if (!unit)
          return unit.error();
        shared_unit_ = std::move(*unit);
        linker_.add(std::move(shared_unit_.object));
        return {};
      });
    }
    return shared_error_.empty();
  }

  std::string link_with(std::span<const Program *const> others, std::span<Program *const> providers,
                        std::expected<std::unique_ptr<Program>, std::string> &result) const {
    std::vector<const ModuleIr *> members = {&ir_}, sources;
    std::vector<Hash> member_keys = {key_}, source_keys;
    for (const Program *other : others) {
      members.push_back(&static_cast<const CompiledProgram *>(other)->ir_);
      member_keys.push_back(static_cast<const CompiledProgram *>(other)->key_);
    }
    for (const Program *provider : providers) {
      sources.push_back(&static_cast<const CompiledProgram *>(provider)->ir_);
      source_keys.push_back(static_cast<const CompiledProgram *>(provider)->key_);
    }
    auto linked = requests_.linked_ir(members, sources);
    if (!linked)
      return linked.error();
    std::vector<std::pair<std::string, void *>> addresses;
    for (const BorrowedVariable &variable : linked->borrowed) {
      auto &provider = static_cast<CompiledProgram &>(*providers[variable.provider]);
      void *address = provider.shared() ? provider.linker_.find(variable.original) : nullptr;
      if (!address)
        return "variable " + variable.original + " has no address";
      addresses.emplace_back(variable.symbol, address);
    }
    auto program = std::make_unique<CompiledProgram>(
        std::move(linked->ir), linked_key(member_keys, source_keys), cache_, requests_);
    program->linker_.define(addresses);
    std::string error = program->prepare();
    result = std::move(program);
    return error;
  }

  std::string make_kernel(size_t index, UnitKind kind, KernelCode &code) {
    if (!shared())
      return shared_error_;
    auto unit = unit_of(kind, infos_[index].name);
    if (!unit)
      return unit.error();
    linker_.add(std::move(unit->object));
    const std::string &name = infos_[index].name;
    void *entry = linker_.find(entry_symbol(name, kind));
    if (!entry)
      return linker_.error();
    code.name = name;
    if (unit->has_sync && !unit->in_regions)
      code.fiber = reinterpret_cast<FiberEntry>(entry);
    else
      code.loop = reinterpret_cast<LoopEntry>(entry);
    code.local_bytes = static_cast<uint32_t>(common::round_up(unit->local.bytes, 16));
    code.local_alignment = std::max<size_t>(local_alignment, unit->local.alignment);
    for (const Argument &argument : infos_[index].arguments)
      if (argument.kind == ArgumentKind::local)
        code.local_alignment = std::max<size_t>(code.local_alignment, argument.alignment);
    code.private_bytes = unit->private_bytes;
    code.sub_group_size = ir_.kernels[index].sub_group_size;
    code.stack_bytes = unit->stack_bytes + stack_margin;
    code.stack_is_bounded = unit->stack_is_bounded;
    code.has_sync = unit->has_sync;
    code.has_grid_sync = unit->has_grid_sync;
    code.waits_for_memory = unit->waits_for_memory;
    code.in_regions = unit->in_regions;
    code.by_sub_group = unit->by_sub_group;
    code.lane_bytes = unit->lane_bytes;
    code.nontemporal_bytes = unit->nontemporal_bytes;
    code.instructions = unit->instructions;
    code.has_small_parts = unit->has_small_parts;
    code.of_columns = unit->of_columns;
    code.may_be_of_columns = unit->may_be_of_columns;
    return {};
  }

  ModuleIr ir_;
  const Hash key_;
  const ObjectCache cache_;
  const Requests requests_;
  Linker linker_;
  std::vector<KernelInfo> infos_;
  std::deque<Kernel> kernels_;

  std::mutex shared_mutex_;
  bool shared_tried_ = false;
  std::string shared_error_;
  Unit shared_unit_;

  std::mutex functions_mutex_;
  std::set<std::string> functions_;
};

BuildResult failed(std::string log) {
  return std::unexpected(BuildError{BuildError::Kind::failed, std::move(log)});
}

BuildResult build(std::span<const std::byte> spirv, std::string_view build_flags,
                  std::span<const SpecializationConstant> constants) {
  BuildOptions options = parse_build_flags(build_flags);
  options.check_memory = checks().memory;
  options.trace_accesses = checks().races || checks().uninitialised;
  options.trace_barriers = checks().traces();
  ObjectCache cache(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu"));
  auto compiler = find_compiler(cache);
  if (!compiler)
    return failed(std::move(compiler.error()));
  if (options.gathers == Gathers::measured)
    options.gathers = compiler->has_slow_gathers ? Gathers::slow : Gathers::fast;
  const Requests requests(std::move(compiler->identity));
  const Hash key = module_key(requests.identity(), spirv, options, constants);
  std::optional<ModuleIr> ir;
  if (const auto kept = cache.find(key))
    ir = deserialize<ModuleIr>(*kept);
  if (!ir) {
    auto made = requests.ir(key, spirv, options, constants);
    if (!made)
      return std::unexpected(std::move(made.error()));
    ir = std::move(*made);
    cache.store(key, serialize(*ir));
  }
  auto program = std::make_unique<CompiledProgram>(std::move(*ir), key, std::move(cache), requests);
  if (std::string error = program->prepare(); !error.empty())
    return failed(error);
  return program;
}

} // namespace

BuildResult build_program(std::span<const std::byte> spirv, std::string_view build_flags,
                          std::span<const SpecializationConstant> constants) try {
  return build(spirv, build_flags, constants);
} catch (const std::exception &exception) {
  return failed(exception.what());
}

LinkResult link_programs(std::span<const std::span<const std::byte>> programs) try {
  auto compiler = find_compiler(ObjectCache(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu")));
  if (!compiler)
    return std::unexpected(std::move(compiler.error()));
  return Requests(std::move(compiler->identity)).linked_modules(programs);
} catch (const std::exception &exception) {
  return std::unexpected(std::string(exception.what()));
}

} // namespace ze_cpu
