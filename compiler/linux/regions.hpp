// Conditions as trees of paths: what of a condition Linux can keep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// How two paths lie to each other. Paths that begin with different parameters are `unknown`.
enum class Relation : std::uint8_t { same, above, below, apart, unknown };
[[nodiscard]] Relation relation(std::string_view first, std::string_view second);
/// Whatever `inner` holds, `outer` holds, wherever the parameters are.
[[nodiscard]] bool contains(const Tree& outer, const Tree& inner);

/// A tree without some trees.
struct Piece {
  Tree tree;
  std::vector<Tree> except;
};

/// What a path is the path of.
enum class PathOf : std::uint8_t { file, socket };

class Regions {
 public:
  explicit Regions(const ir::Policy& policy) : policy_(policy) {}

  /// For what opens: only paths of which every request is in `cond`.
  [[nodiscard]] std::vector<Piece> opened(ir::CondId cond, PathOf what) const;
  /// For what closes: all that `cond` says by trees; a pattern closes nothing, and a pattern among
  /// the exceptions is no exception.
  [[nodiscard]] std::vector<Piece> closed(ir::CondId cond, PathOf what) const;

 private:
  enum class Use : std::uint8_t { open, close };
  [[nodiscard]] std::vector<Piece> pieces(ir::CondId cond, PathOf what, Use use) const;
  [[nodiscard]] std::vector<Piece> intersection(const ir::CondNode& node, PathOf what,
                                                Use use) const;
  /// Trees that hold at least `cond`. False: there are none but everything.
  [[nodiscard]] bool around(ir::CondId cond, PathOf what, std::vector<Tree>& into) const;
  [[nodiscard]] ir::Text text_of(const ir::Atom& atom) const;
  /// The atom as one tree; an empty path if it is none.
  [[nodiscard]] Tree tree_of(const ir::Atom& atom, PathOf what) const;

  const ir::Policy& policy_;
};

}  // namespace nd7::linux_plan
