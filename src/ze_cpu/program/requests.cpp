#include "requests.h"

#include "serialize.h"
#include "worker.h"

namespace ze_cpu {
namespace {

// `error` makes an Error of text.
template <class T, class Error, class MakeError>
std::expected<T, Error> understand(std::expected<std::string, std::string> answer,
                                   MakeError make_error) {
  if (!answer)
    return std::unexpected(make_error(std::move(answer.error())));
  Reader reader(*answer);
  bool succeeded = false;
  T value;
  Error error{};
  reader.get(succeeded);
  succeeded ? reader.get(value) : reader.get(error);
  if (!reader.complete())
    return std::unexpected(make_error("the compiler gave no sensible answer\n"));
  if (!succeeded)
    return std::unexpected(std::move(error));
  return value;
}

template <class T>
std::expected<T, std::string> understand(std::expected<std::string, std::string> answer) {
  return understand<T, std::string>(std::move(answer), [](std::string text) { return text; });
}

Writer begin(const std::string &identity, Request request) {
  Writer writer;
  writer.put(protocol_version);
  writer.put(identity);
  writer.put(request);
  return writer;
}

} // namespace

std::expected<Compiler, std::string> request_compiler() {
  return understand<Compiler>(ask_worker(begin({}, Request::compiler).take()));
}

std::expected<ModuleIr, BuildError>
Requests::ir(const Hash &key, std::span<const std::byte> spirv, const BuildOptions &options,
             std::span<const SpecializationConstant> constants) const {
  Writer writer = begin(identity_, Request::ir);
  writer.put(std::string(bytes_of(key)));
  writer.put(spirv);
  writer.put(options);
  std::vector<std::pair<uint32_t, std::string>> values;
  for (const SpecializationConstant &constant : constants)
    values.emplace_back(
        constant.id,
        std::string(reinterpret_cast<const char *>(constant.value.data()), constant.value.size()));
  writer.put(values);
  return understand<ModuleIr, BuildError>(ask_worker(writer.take()), [](std::string text) {
    return BuildError{BuildError::Kind::failed, std::move(text)};
  });
}

std::expected<Unit, std::string> Requests::unit(const Hash &key, const ModuleIr &ir, UnitKind kind,
                                                std::string_view symbol, const Unit &shared) const {
  std::expected<std::string, std::string> answer;
  for (const Request request : {Request::unit, Request::unit_of_new_module}) {
    Writer writer = begin(identity_, request);
    writer.put(std::string(bytes_of(key)));
    writer.put(kind);
    writer.put(std::string(symbol));
    writer.put(shared);
    if (request == Request::unit_of_new_module)
      writer.put(ir);
    answer = ask_worker(writer.take());
    if (answer != no_such_module)
      break;
  }
  return understand<Unit>(std::move(answer));
}

std::expected<std::vector<std::byte>, std::string>
Requests::linked_modules(std::span<const std::span<const std::byte>> programs) const {
  Writer writer = begin(identity_, Request::link_modules);
  std::vector<std::string> texts;
  for (const std::span<const std::byte> program : programs)
    texts.emplace_back(reinterpret_cast<const char *>(program.data()), program.size());
  writer.put(texts);
  return understand<std::vector<std::byte>>(ask_worker(writer.take()));
}

std::expected<LinkedIr, std::string>
Requests::linked_ir(std::span<const ModuleIr *const> members,
                    std::span<const ModuleIr *const> providers) const {
  Writer writer = begin(identity_, Request::link_ir);
  for (const auto modules : {members, providers}) { // as vectors of ModuleIr
    writer.put(uint64_t(modules.size()));
    for (const ModuleIr *ir : modules)
      writer.put(*ir);
  }
  return understand<LinkedIr>(ask_worker(writer.take()));
}

} // namespace ze_cpu
