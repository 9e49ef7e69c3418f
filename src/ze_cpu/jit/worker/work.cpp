#include "work.h"

#include "../codegen/codegen.h"
#include "../front/diagnostics.h"
#include "../front/translate.h"
#include "../program/link_programs.h"
#include "serialize.h"
#include "worker.h"

#include <algorithm>
#include <stdexcept>

namespace ze_cpu {
namespace {

enum class Request : uint8_t { image, unit, unit_of_new_image, link_modules, link_images };

// What stands for an answer when the worker has another image than the one that is meant.
constexpr std::string_view no_such_image = "no such image";

template <class T, class Error> std::string answer(std::expected<T, Error> result) {
  Writer writer;
  writer.put(result.has_value());
  if (result)
    writer.put(*result);
  else
    writer.put(result.error());
  return writer.take();
}

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

// --- In the worker ----------------------------------------------------------------------------

// The one that units are asked of: all of them right after one another, mostly.
struct {
  std::string key;
  Image image;
} current;

std::expected<Image, BuildError> make_image_of(std::span<const std::byte> spirv,
                                               const BuildOptions &options,
                                               std::span<const SpecializationConstant> constants) {
  const auto failed = [](std::string log) {
    return std::unexpected(BuildError{BuildError::Kind::failed, std::move(log)});
  };
  Verdict verdict = validate(spirv);
  if (!verdict.accepted)
    return std::unexpected(
        BuildError{verdict.kind.value_or(BuildError::Kind::failed), std::move(verdict.log)});
  auto machine = make_target_machine(options);
  if (!machine)
    return failed(machine.error());
  std::string diagnostics;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(silent_diagnostics(diagnostics));
  auto module = translate(context, spirv, constants);
  if (!module)
    return failed(verdict.log + diagnostics + module.error());
  auto image = make_image(**module, **machine, options);
  if (!image)
    return failed(verdict.log + diagnostics + image.error());
  return std::move(*image);
}

std::string do_image(Reader &reader) {
  std::string key, spirv;
  BuildOptions options;
  std::vector<std::pair<uint32_t, std::string>> constants;
  reader.get(key);
  reader.get(spirv);
  reader.get(options);
  reader.get(constants);
  std::vector<SpecializationConstant> values;
  for (const auto &[id, value] : constants)
    values.push_back({id, std::as_bytes(std::span(value))});
  auto image = make_image_of(std::as_bytes(std::span(spirv)), options, values);
  if (!image)
    return answer<Image>(std::move(image));
  current = {std::move(key), std::move(*image)};
  Writer writer;
  writer.put(true);
  writer.put(current.image);
  return writer.take();
}

std::expected<Unit, std::string> compile_unit(const Image &image, UnitKind kind,
                                              const std::string &symbol, const Unit &shared) {
  auto machine = make_target_machine(image.options);
  if (!machine)
    return std::unexpected(machine.error());
  if (kind == UnitKind::shared)
    return compile_shared(image, **machine);
  if (kind == UnitKind::function)
    return compile_function(image, symbol, shared, **machine);
  const auto kernel = std::ranges::find(
      image.kernels, symbol, [](const Image::Kernel &k) -> const auto & { return k.info.name; });
  if (kernel == image.kernels.end())
    return std::unexpected("there is no kernel " + symbol);
  return compile_kernel(image, static_cast<size_t>(kernel - image.kernels.begin()), shared,
                        **machine);
}

std::string do_unit(Reader &reader, bool has_image) {
  std::string key, symbol;
  UnitKind kind = UnitKind::shared;
  Unit shared;
  reader.get(key);
  reader.get(kind);
  reader.get(symbol);
  reader.get(shared);
  if (has_image) {
    current = {};
    reader.get(current.image);
    current.key = key;
  } else if (current.key != key) {
    return std::string(no_such_image);
  }
  return answer(compile_unit(current.image, kind, symbol, shared));
}

std::string do_link_modules(Reader &reader) {
  std::vector<std::string> programs;
  reader.get(programs);
  std::vector<std::span<const std::byte>> views;
  for (const std::string &program : programs)
    views.push_back(std::as_bytes(std::span(program)));
  return answer(link_modules(views));
}

std::string do_link_images(Reader &reader) {
  std::vector<Image> members, providers;
  reader.get(members);
  reader.get(providers);
  return answer(link_images(members, providers));
}

Writer begin(Request request) {
  Writer writer;
  writer.put(compiler_identity());
  writer.put(request);
  return writer;
}

} // namespace

std::expected<Image, BuildError> request_image(const Hash &key, std::span<const std::byte> spirv,
                                               const BuildOptions &options,
                                               std::span<const SpecializationConstant> constants) {
  Writer writer = begin(Request::image);
  writer.put(std::string(bytes_of(key)));
  writer.put(spirv);
  writer.put(options);
  std::vector<std::pair<uint32_t, std::string>> values;
  for (const SpecializationConstant &constant : constants)
    values.emplace_back(
        constant.id,
        std::string(reinterpret_cast<const char *>(constant.value.data()), constant.value.size()));
  writer.put(values);
  return understand<Image, BuildError>(ask_worker(writer.take()), [](std::string text) {
    return BuildError{BuildError::Kind::failed, std::move(text)};
  });
}

std::expected<Unit, std::string> request_unit(const Hash &key, const Image &image, UnitKind kind,
                                              std::string_view symbol, const Unit &shared) {
  std::expected<std::string, std::string> answer;
  for (const Request request : {Request::unit, Request::unit_of_new_image}) {
    Writer writer = begin(request);
    writer.put(std::string(bytes_of(key)));
    writer.put(kind);
    writer.put(std::string(symbol));
    writer.put(shared);
    if (request == Request::unit_of_new_image)
      writer.put(image);
    answer = ask_worker(writer.take());
    if (answer != no_such_image)
      break;
  }
  return understand<Unit>(std::move(answer));
}

std::expected<std::vector<std::byte>, std::string>
request_link(std::span<const std::span<const std::byte>> programs) {
  Writer writer = begin(Request::link_modules);
  std::vector<std::string> texts;
  for (const std::span<const std::byte> program : programs)
    texts.emplace_back(reinterpret_cast<const char *>(program.data()), program.size());
  writer.put(texts);
  return understand<std::vector<std::byte>>(ask_worker(writer.take()));
}

std::expected<LinkedImage, std::string>
request_linked_image(std::span<const Image *const> members,
                     std::span<const Image *const> providers) {
  Writer writer = begin(Request::link_images);
  for (const auto images : {members, providers}) { // as vectors of images
    writer.put(uint64_t(images.size()));
    for (const Image *image : images)
      writer.put(*image);
  }
  return understand<LinkedImage>(ask_worker(writer.take()));
}

std::string do_work(std::string_view bytes) {
  Reader reader(bytes);
  std::string identity;
  Request request = Request::image;
  reader.get(identity);
  reader.get(request);
  // The file may have been replaced since the program loaded it.
  if (identity != compiler_identity())
    throw std::runtime_error("libze_cpu_jit.so has been replaced");
  switch (request) {
  case Request::image:
    return do_image(reader);
  case Request::unit:
  case Request::unit_of_new_image:
    return do_unit(reader, request == Request::unit_of_new_image);
  case Request::link_modules:
    return do_link_modules(reader);
  case Request::link_images:
    return do_link_images(reader);
  }
  throw std::runtime_error("unknown request");
}

} // namespace ze_cpu
