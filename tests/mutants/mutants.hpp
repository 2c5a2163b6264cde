// Mistakes that lowering and printing could make, by name. None of them means the same as the right
// text, so the judge of every build has to notice each.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "compiler/pipeline/compile.hpp"

namespace nd7::test {

/// What a mutant damages: the profile before it is printed, or the text. False if it found nothing
/// to damage.
struct Mutant {
  std::string name;
  laws::Profile kind = laws::Profile::floor;
  std::function<bool(ir::Policy&, seatbelt::SeatbeltProfile&)> in_profile;
  std::function<bool(std::string&)> in_text;
};

/// For messages of GoogleTest.
void PrintTo(const Mutant& mutant, std::ostream* out);

[[nodiscard]] std::vector<Mutant> profile_mutants();
[[nodiscard]] std::vector<Mutant> text_mutants();

/// The policy of tests/mutants/rich.toml: every parameter open; the command profile with grants of
/// /opt/data and /srv.
[[nodiscard]] Compiled compile_rich(laws::Profile kind);

}  // namespace nd7::test
