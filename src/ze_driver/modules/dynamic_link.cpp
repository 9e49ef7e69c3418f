// zeModuleDynamicLink: what modules import is found in others.
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "linkage.h"
#include "module.h"

#include <algorithm>
#include <map>

namespace ze_driver {
namespace {

/// The modules of one call. Those that do not depend on each other are linked by themselves, to
/// what they import from; only modules that import from each other become one program.
class LinkSet {
public:
  void add(ModuleContent &module) {
    if (std::ranges::contains(modules_, &module))
      return;
    modules_.push_back(&module);
    for (const std::string &name : linkage_of(module.spirv).exports)
      exporters_[name].push_back(&module);
  }

  /// On failure the log says why, and modules that had imports before are linked or not.
  bool link(std::string &log) {
    if (!find_dependencies(log))
      return false;
    while (!dependencies_.empty()) {
      const Modules group = next_group();
      if (!link_group(group, log))
        return false;
      for (const ModuleContent *module : group)
        dependencies_.erase(module);
    }
    return true;
  }

private:
  using Modules = std::vector<ModuleContent *>;

  static void insert(Modules &set, ModuleContent *module) {
    if (!std::ranges::contains(set, module))
      set.push_back(module);
  }

  bool find_dependencies(std::string &log) {
    for (ModuleContent *module : modules_) {
      if (module->linked)
        continue;
      Modules &found = dependencies_[module];
      for (const std::string &name : module->built->program->imports()) {
        const auto exporters = exporters_.find(name);
        if (exporters == exporters_.end())
          log += "unresolved import " + name + "\n";
        else if (exporters->second.size() > 1)
          log += "import " + name + " is ambiguous: several modules export it\n";
        else
          insert(found, exporters->second.front());
      }
    }
    return log.empty();
  }

  /// Modules that are not linked and that `module` needs, itself included.
  Modules needed_with(ModuleContent *module) const {
    Modules needed = {module};
    for (size_t i = 0; i < needed.size(); ++i)
      for (ModuleContent *dependency : dependencies_.at(needed[i]))
        if (!dependency->linked)
          insert(needed, dependency);
    return needed;
  }

  /// Modules that need each other, and no others that are not linked.
  Modules next_group() const {
    Modules smallest;
    for (ModuleContent *module : modules_)
      if (dependencies_.contains(module))
        if (Modules needed = needed_with(module);
            smallest.empty() || needed.size() < smallest.size())
          smallest = std::move(needed);
    return smallest;
  }

  bool link_group(const Modules &group, std::string &log) {
    std::vector<std::shared_ptr<LoadedProgram>> providers;
    for (const ModuleContent *module : group)
      for (const ModuleContent *dependency : dependencies_.at(module))
        if (dependency->linked && !std::ranges::contains(providers, dependency->linked))
          providers.push_back(dependency->linked);
    std::vector<const Program *> others;
    for (size_t i = 1; i < group.size(); ++i)
      others.push_back(group[i]->built->program.get());
    std::vector<Program *> sources;
    for (const auto &provider : providers)
      sources.push_back(provider->program.get());
    auto linked = group.front()->built->program->link(others, sources);
    if (!linked) {
      log += linked.error();
      return false;
    }
    const auto loaded = std::make_shared<LoadedProgram>(std::move(*linked), std::move(providers));
    for (ModuleContent *module : group)
      module->linked = loaded;
    return true;
  }

  Modules modules_;
  std::map<std::string, Modules, std::less<>> exporters_;
  std::map<const ModuleContent *, Modules> dependencies_; // of modules that are not linked
};

} // namespace

ze_result_t zeModuleDynamicLink(uint32_t count, ze_module_handle_t *modules,
                                ze_module_build_log_handle_t *log) {
  return entry(required(modules), [&]() -> ze_result_t {
    LinkSet set;
    for (uint32_t i = 0; i < count; ++i) {
      if (!modules[i])
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      set.add(*object<Module>(modules[i]).content);
    }
    auto built_log = std::make_unique<BuildLog>();
    const bool linked = set.link(built_log->text);
    if (!linked)
      describe_last_error(built_log->text);
    if (log)
      *log = handle_of(*built_log.release());
    return linked ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
  });
}

} // namespace ze_driver
