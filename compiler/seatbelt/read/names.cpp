// What a name means: bindings of the profile, builtins, operations, filters, constants.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "compiler/diagnostics/suggest.hpp"
#include "compiler/seatbelt/read/builtins.hpp"
#include "compiler/seatbelt/read/machine.hpp"

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

constexpr std::array kForms{
    std::pair<std::string_view, Form>{"quote", Form::quote},
    std::pair<std::string_view, Form>{"quasiquote", Form::quasiquote},
    std::pair<std::string_view, Form>{"if", Form::if_},
    std::pair<std::string_view, Form>{"cond", Form::cond},
    std::pair<std::string_view, Form>{"case", Form::case_},
    std::pair<std::string_view, Form>{"when", Form::when},
    std::pair<std::string_view, Form>{"unless", Form::unless},
    std::pair<std::string_view, Form>{"and", Form::and_},
    std::pair<std::string_view, Form>{"or", Form::or_},
    std::pair<std::string_view, Form>{"begin", Form::begin},
    std::pair<std::string_view, Form>{"let", Form::let},
    std::pair<std::string_view, Form>{"let*", Form::let_star},
    std::pair<std::string_view, Form>{"letrec", Form::letrec},
    std::pair<std::string_view, Form>{"define", Form::define},
    std::pair<std::string_view, Form>{"set!", Form::set},
    std::pair<std::string_view, Form>{"lambda", Form::lambda},
    std::pair<std::string_view, Form>{"macro", Form::macro},
    std::pair<std::string_view, Form>{"with", Form::with},
    std::pair<std::string_view, Form>{"with-filter", Form::with_filter},
    std::pair<std::string_view, Form>{"with-modifier", Form::with_modifier},
    std::pair<std::string_view, Form>{"with-operations", Form::with_operations},
    std::pair<std::string_view, Form>{"debug", Form::debug},
};

// Only system.sb defines them.
constexpr std::array<std::string_view, 3> kSystemFunctions{"system-network", "system-graphics",
                                                           "network-client"};

/// Names that libsandbox binds to numbers of the system: sockets, signals, system calls, …
bool is_constant(std::string_view name) {
  if (parse_protocol(name) || name == "unix-socket" || name == "unix") return true;
  if (knows_symbol(Filter::vnode_type, name) || knows_symbol(Filter::target, name) ||
      knows_symbol(Filter::semaphore_owner, name)) {
    return true;
  }
  static constexpr std::array<std::string_view, 19> kPrefixes{
      "AF_",   "PF_",   "SOCK_", "IPPROTO_", "SYSPROTO_", "SYS_", "MSC_",  "CSR_",   "F_",  "SIG",
      "KERN_", "HOST_", "TASK_", "MACH_",    "SO_",       "SOL_", "PRIV_", "FSIOC_", "TIOC"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix;
  });
}

}  // namespace

void Machine::define_builtins() {
  Symbols& symbols = context_.tree.symbols;
  const auto set = [&](std::string_view name, Value value) {
    const SymbolId id = symbols.intern(name);
    if (globals_.size() <= id) globals_.resize(id + 1);
    globals_[id] = value;
  };
  for (const auto& [name, form] : kForms) {
    set(name, Value::at(Kind::form, static_cast<std::uint32_t>(form)));
  }
  const std::span<const Builtin> all = builtins();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const bool of_system = std::find(kSystemFunctions.begin(), kSystemFunctions.end(),
                                     all[i].name) != kSystemFunctions.end();
    if (!of_system) set(all[i].name, Value::at(Kind::builtin, i));
  }
}

std::optional<Value> Machine::lookup(SymbolId name, EnvId env) {
  const Heap& heap = context_.heap;
  std::size_t visits = 0;
  while (env != kGlobal) {
    const Environment& at = heap.environments[env];
    for (std::uint32_t i = at.bindings; i != kNone; i = heap.bindings[i].next, ++visits) {
      if (heap.bindings[i].symbol != name) continue;
      context_.count(visits);
      return heap.bindings[i].value;
    }
    env = at.parent;
    ++visits;
  }
  context_.count(visits);
  return global(name);
}

std::optional<Value> Machine::global(SymbolId symbol) {
  if (symbol < globals_.size() && globals_[symbol]) return globals_[symbol];
  const std::string& name = context_.tree.symbols.name(symbol);
  const std::optional<Release> release = context_.options().release;
  std::optional<Value> value;
  if (const std::optional<Op> op = find_operation(name, release)) {
    if (!release || info(*op).releases.contains(*release)) {
      value = Value::at(Kind::operation, static_cast<std::uint32_t>(*op));
    }
  } else if (is_noop_operation(name)) {
    value = Value::at(Kind::no_operation, symbol);
  } else if (const std::optional<Filter> filter = find_filter(name)) {
    value = Value::at(Kind::filter_maker, static_cast<std::uint32_t>(*filter));
  } else if (is_constant(name)) {
    value = Value::at(Kind::symbol, symbol);
  } else if (context_.system_imported && std::find(kSystemFunctions.begin(), kSystemFunctions.end(),
                                                   name) != kSystemFunctions.end()) {
    value = Value::at(Kind::builtin, builtin_index(name));
  }
  if (value) {
    if (globals_.size() <= symbol) globals_.resize(symbol + 1);
    globals_[symbol] = value;
  }
  return value;
}

void Machine::unknown_name(SymbolId symbol, Place place) {
  const std::string& name = context_.tree.symbols.name(symbol);
  if (const std::optional<Op> op = find_operation(name)) {
    context_
        .fail(Code::ND6007, place,
              fmt::format("{} has no operation `{}`",
                          to_string(context_.options().release.value_or(Release::macos13)), name))
        .helps.emplace_back(fmt::format("put the rule in `(when (defined? '{}) ...)`", name));
    return;
  }
  Diagnostic& error =
      context_.fail(Code::ND6006, place, fmt::format("nothing is called `{}`", name));
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < kOpCount; ++i) {
    known.push_back(nd7::seatbelt::name(static_cast<Op>(i)));
  }
  for (std::size_t i = 0; i < kFilterCount; ++i) {
    known.push_back(nd7::seatbelt::name(static_cast<Filter>(i)));
  }
  for (const Builtin& builtin : builtins()) known.push_back(builtin.name);
  for (const auto& [form, id] : kForms) known.push_back(form);
  if (const std::optional<std::string> near = nearest(name, known)) {
    error.helps.push_back(fmt::format("did you mean `{}`?", *near));
  } else {
    error.notes.emplace_back("libsandbox refuses the whole profile");
  }
}

EnvId Machine::new_environment(EnvId parent) {
  context_.heap.environments.push_back({parent, kNone});
  return static_cast<EnvId>(context_.heap.environments.size() - 1);
}

void Machine::bind(EnvId env, SymbolId name, const Value& value) {
  if (env == kGlobal) {
    if (globals_.size() <= name) globals_.resize(name + 1);
    globals_[name] = value;
    return;
  }
  Heap& heap = context_.heap;
  std::size_t visits = 0;
  for (std::uint32_t i = heap.environments[env].bindings; i != kNone;
       i = heap.bindings[i].next, ++visits) {
    if (heap.bindings[i].symbol != name) continue;
    heap.bindings[i].value = value;
    return;
  }
  context_.count(visits);
  heap.bindings.push_back({name, value, heap.environments[env].bindings});
  heap.environments[env].bindings = static_cast<std::uint32_t>(heap.bindings.size() - 1);
}

bool Machine::assign(EnvId env, SymbolId name, const Value& value) {
  Heap& heap = context_.heap;
  std::size_t visits = 0;
  for (; env != kGlobal; env = heap.environments[env].parent, ++visits) {
    for (std::uint32_t i = heap.environments[env].bindings; i != kNone;
         i = heap.bindings[i].next, ++visits) {
      if (heap.bindings[i].symbol != name) continue;
      context_.count(visits);
      heap.bindings[i].value = value;
      return true;
    }
  }
  context_.count(visits);
  if (!global(name)) return false;
  globals_[name] = value;
  return true;
}

}  // namespace nd7::seatbelt::read
