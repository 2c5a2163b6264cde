// Whether a filter holds for a request.
#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/seatbelt/read/request.hpp"
#include "compiler/seatbelt/read/rule_base.hpp"

namespace nd7::seatbelt::read {

/// `maybe`: it depends on something that the request does not say, or that nobody has measured.
enum class Truth : std::uint8_t { no, maybe, yes };

/// Filters combine by Kleene's logic. An address with a wildcard port under a negation is at most
/// `maybe`: it is said never to match there, and the claim is unconfirmed.
[[nodiscard]] Truth holds(const RuleBase& base, FilterId filter, const Request& request);
[[nodiscard]] Truth holds(const RuleBase& base, const Atom& atom, const Request& request);

/// How the filters of a family (`F`, `F-prefix`, `F-regex`, …) test the text that they share.
enum class TextTest : std::uint8_t { exact, prefix, subpath, regex, ancestors };
struct FamilyMember {
  Filter base = Filter::literal;  ///< the exact filter of the family
  TextTest test = TextTest::exact;
};
[[nodiscard]] FamilyMember family_of(Filter filter);

/// The filter that speaks about the subject of an operation when there is one main thing.
[[nodiscard]] std::optional<Filter> main_filter(Op op);

/// `subpath`: the anchor itself and what is below it, by whole components. `ancestors`: `subject`
/// is a proper ancestor of `text`, `/` included. Not for regex.
[[nodiscard]] bool test_text(TextTest test, std::string_view text, std::string_view subject);

}  // namespace nd7::seatbelt::read
