#include "compiler/seatbelt/read/builtins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace nd7::seatbelt::read {
namespace {

const std::vector<Builtin>& table() {
  static const std::vector<Builtin> all = [] {
    // In the order of MachineBuiltin.
    std::vector<Builtin> result{{"apply", nullptr, 2, kAnyNumber},
                                {"map", nullptr, 2, kAnyNumber},
                                {"for-each", nullptr, 2, kAnyNumber},
                                {"defined?", nullptr, 1, 1}};
    for (const auto& part :
         {text_builtins(), number_builtins(), list_builtins(), profile_builtins()}) {
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }();
  return all;
}

}  // namespace

std::span<const Builtin> builtins() { return table(); }

std::uint32_t builtin_index(std::string_view name) {
  const std::vector<Builtin>& all = table();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Builtin& entry) { return entry.name == name; });
  return static_cast<std::uint32_t>(found - all.begin());
}

void fail_argument(Context& context, const Argument& argument, std::string_view function,
                   std::string_view wanted) {
  Diagnostic& error = context.fail(
      Code::ND6014, argument.place,
      fmt::format("`{}` wants {}, not {}", function, wanted, describe(argument.value.kind)));
  if (argument.value.is(Value::Kind::boolean) && !argument.value.truthy()) {
    error.helps.emplace_back(
        "a parameter that is not set is `#f`: ask first with `(if (param \"NAME\") ...)`");
  }
}

std::string_view describe(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::unspecified: return "no value";
    case Value::Kind::nil: return "an empty list";
    case Value::Kind::boolean: return "a boolean";
    case Value::Kind::integer: return "a number";
    case Value::Kind::string: return "a string";
    case Value::Kind::symbol: return "a symbol";
    case Value::Kind::pair: return "a list";
    case Value::Kind::procedure:
    case Value::Kind::builtin: return "a function";
    case Value::Kind::macro: return "a macro";
    case Value::Kind::form: return "a form";
    case Value::Kind::operation:
    case Value::Kind::no_operation: return "an operation";
    case Value::Kind::filter_maker: return "the name of a filter";
    case Value::Kind::filter: return "a filter";
    case Value::Kind::modifier: return "a modifier";
  }
  return {};
}

}  // namespace nd7::seatbelt::read
