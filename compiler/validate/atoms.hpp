// Filter atoms of both sides under one numbering, so that equal tests are one variable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/seatbelt/read/rule_base.hpp"

namespace nd7::validate {

/// The variables of the decision diagrams.
class Atoms {
 public:
  Atoms();

  /// The variable of an atom that was read back. Numbered by first mention.
  [[nodiscard]] std::uint32_t of(const seatbelt::read::Atom& atom);
  /// The variable of an atom that was meant; nullopt if it matches nothing because one of the
  /// parameters in it is unset. Bound parameters are replaced.
  [[nodiscard]] std::optional<std::uint32_t> of(const ir::Atom& atom, const ir::Policy& policy,
                                                const std::vector<bool>& unset);
  /// Stands for "a rule of the import matches".
  [[nodiscard]] static constexpr std::uint32_t import() { return 0; }

  [[nodiscard]] const std::string& shown(std::uint32_t variable) const { return shown_[variable]; }
  [[nodiscard]] std::size_t size() const { return shown_.size(); }

  /// The variable of a filter that always matches where it fits (`subpath "/"`), if it was met.
  [[nodiscard]] std::optional<std::uint32_t> find(seatbelt::Filter filter,
                                                  std::string_view text) const;

 private:
  /// `shown` is asked only for what was not met before.
  template <class Shown>
  std::uint32_t number(std::string key, Shown shown);

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> shown_;
};

}  // namespace nd7::validate
