#include "compiler/validate/atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/pattern/regex.hpp"
#include "compiler/seatbelt/read/text.hpp"

namespace nd7::validate {
namespace {

using seatbelt::Filter;
using seatbelt::FilterValue;
using Address = seatbelt::read::Address;

/// Begins with a byte that no other key begins with: those are words.
std::string text_key(Filter filter, std::string_view text) {
  static_assert(seatbelt::kFilterCount <= 'a');
  std::string key(1, static_cast<char>(filter));
  key += text;
  return key;
}

std::string address_key(Filter filter, const Address& address) {
  constexpr std::array<std::string_view, 3> kProtocols{"ip", "tcp", "udp"};
  constexpr std::array<std::string_view, 3> kFamilies{"", "4", "6"};
  constexpr std::array<std::string_view, 3> kHosts{"*", "localhost", "local"};
  return fmt::format("{} {}{} {}:{}", name(filter),
                     kProtocols[static_cast<std::size_t>(address.protocol)],
                     kFamilies[static_cast<std::size_t>(address.family)],
                     kHosts[static_cast<std::size_t>(address.host)],
                     address.port ? std::to_string(*address.port) : "*");
}

/// What is meant by the address, as the reader would have it. The host is one that Seatbelt knows:
/// others were judged as losses before.
Address address_of(const ir::Address& meant) {
  Address result;
  const int proto = static_cast<int>(meant.proto);  // ip ip4 ip6 tcp tcp4 tcp6 udp udp4 udp6
  result.protocol = static_cast<Address::Protocol>(proto / 3);
  result.family = static_cast<Address::Family>(proto % 3);
  result.host = meant.host == "localhost" ? Address::Host::localhost : Address::Host::any;
  if (meant.port >= 0) result.port = static_cast<std::uint16_t>(meant.port);
  return result;
}

}  // namespace

Atoms::Atoms() : numbers_{{"import", import()}}, shown_{"a rule of system.sb"} {}

template <class Shown>
std::uint32_t Atoms::number(std::string key, Shown shown) {
  const auto [at, fresh] =
      numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(shown_.size()));
  if (fresh) shown_.push_back(shown());
  return at->second;
}

std::uint32_t Atoms::of(const seatbelt::read::Atom& atom) {
  using Kind = seatbelt::read::Atom::Kind;
  switch (atom.kind) {
    case Kind::none:
      return number(text_key(atom.filter, ""), [&] { return std::string{name(atom.filter)}; });
    case Kind::number:
      return number(text_key(atom.filter, std::to_string(atom.number)),
                    [&] { return fmt::format("{} {}", name(atom.filter), atom.number); });
    case Kind::address: {
      const std::string key = address_key(atom.filter, atom.address);
      return number(key, [&] { return key; });
    }
    case Kind::entitlement_value:
      return number("value:" + atom.text, [&] { return "entitlement-value " + atom.text; });
    case Kind::text:
    case Kind::regex:
    case Kind::symbol: break;
  }
  return number(text_key(atom.filter, atom.text), [&] {
    return fmt::format("{} {}", name(atom.filter), seatbelt::read::shown(atom.text));
  });
}

std::optional<std::uint32_t> Atoms::of(const ir::Atom& atom, const ir::Policy& policy,
                                       const std::vector<bool>& unset) {
  for (const ir::ParamId param : ir::params_of(atom.text)) {
    if (unset[param.value]) return std::nullopt;
  }
  const FilterValue kind = info(atom.filter).value;
  if (kind == FilterValue::address) {
    const std::string key = address_key(atom.filter, address_of(atom.address));
    return number(key, [&] { return key; });
  }
  if (kind == FilterValue::none) {
    return number(text_key(atom.filter, ""), [&] { return std::string{name(atom.filter)}; });
  }
  if (kind == FilterValue::integer) {
    return number(text_key(atom.filter, std::to_string(atom.integer)),
                  [&] { return fmt::format("{} {}", name(atom.filter), atom.integer); });
  }
  const ir::Text text = ir::substitute(atom.text, [&](ir::ParamId id) {
    std::optional<std::string> value = policy.params[id.value].value;
    if (value && kind == FilterValue::regex) value = pattern::quote_regex(*value);
    return value;
  });
  return number(text_key(atom.filter, text), [&] {
    const std::string shown =
        ir::to_display(text, [&](ir::ParamId id) { return param_key(policy, id); });
    return fmt::format("{} {}", name(atom.filter), shown);
  });
}

std::optional<std::uint32_t> Atoms::find(Filter filter, std::string_view text) const {
  const auto at = numbers_.find(text_key(filter, text));
  if (at == numbers_.end()) return std::nullopt;
  return at->second;
}

}  // namespace nd7::validate
