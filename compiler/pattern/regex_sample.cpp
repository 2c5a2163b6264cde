// sample: a shortest match, with `^` and `$` taken into account.
//
// A match alone is a subject of its own: what stood around it could only keep an anchor from
// matching. So the sample is a shortest word of the expression in which `^` has nothing before it
// and `$` nothing after it. For every node and for both answers to "is nothing before it?" and "is
// nothing after it?" the tables say whether it matches the empty text there, and how long its
// shortest other match is.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {
namespace {

using Kind = RegexNode::Kind;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Whether nothing is before and after a place, as an index of the tables.
constexpr std::size_t context(bool first, bool last) {
  return (first ? 2U : 0U) + (last ? 1U : 0U);
}

struct Shortest {
  std::array<bool, 4> empty{};
  std::array<std::size_t, 4> length{kNone, kNone, kNone, kNone};  ///< of a match with bytes
};

std::size_t plus(std::size_t a, std::size_t b) { return a == kNone || b == kNone ? kNone : a + b; }

/// Of a concatenation whose match has bytes: before its first byte, among its bytes, after its
/// last.
enum Phase : std::size_t { before, among, after, kPhases };

/// One step of a concatenation: from a phase to a phase, the kid being empty or not, in a context.
struct Step {
  Phase from;
  Phase to;
  bool bytes;
  bool keeps_first;  ///< nothing is before the kid if nothing is before the whole
  bool keeps_last;
};
constexpr std::array kSteps{
    Step{before, before, false, true, false}, Step{before, among, true, true, false},
    Step{before, after, true, true, true},    Step{among, among, false, false, false},
    Step{among, among, true, false, false},   Step{among, after, true, false, true},
    Step{after, after, false, false, true},
};

class Sampler {
 public:
  explicit Sampler(const Regex& regex) : regex_(regex) {
    table_.reserve(regex.nodes.size());
    for (const RegexNode& node : regex.nodes) table_.push_back(measure(node));
  }

  [[nodiscard]] std::optional<std::string> run() {
    const std::size_t whole = context(true, true);
    const Shortest& root = table_[regex_.root];
    if (root.empty[whole]) return std::string{};
    if (root.length[whole] == kNone) return std::nullopt;
    write(regex_.root, true, true);
    return std::move(result_);
  }

 private:
  using Lengths = std::array<std::size_t, kPhases>;

  [[nodiscard]] std::size_t cost(std::uint32_t kid, const Step& step, bool first, bool last) const {
    const std::size_t at = context(first && step.keeps_first, last && step.keeps_last);
    if (step.bytes) return table_[kid].length[at];
    return table_[kid].empty[at] ? 0 : kNone;
  }

  [[nodiscard]] Lengths advance(const Lengths& lengths, std::uint32_t kid, bool first,
                                bool last) const {
    Lengths next{kNone, kNone, kNone};
    for (const Step& step : kSteps) {
      next[step.to] =
          std::min(next[step.to], plus(lengths[step.from], cost(kid, step, first, last)));
    }
    return next;
  }

  [[nodiscard]] Shortest measure(const RegexNode& node) const {
    Shortest result;
    for (const bool first : {false, true}) {
      for (const bool last : {false, true}) {
        const std::size_t at = context(first, last);
        switch (node.kind) {
          case Kind::empty: result.empty[at] = true; break;
          case Kind::begin: result.empty[at] = first; break;
          case Kind::end: result.empty[at] = last; break;
          case Kind::bytes: result.length[at] = node.set.none() ? kNone : 1; break;
          case Kind::hole: result.length[at] = 2; break;
          case Kind::star:
          case Kind::optional:
            result.empty[at] = true;
            result.length[at] = table_[node.kids.front()].length[at];
            break;
          // Once is shortest: a round that is not the last has fewer anchors to match with.
          case Kind::plus: result = table_[node.kids.front()]; break;
          case Kind::alternate:
            for (const std::uint32_t kid : node.kids) {
              result.empty[at] = result.empty[at] || table_[kid].empty[at];
              result.length[at] = std::min(result.length[at], table_[kid].length[at]);
            }
            break;
          case Kind::concat: {
            result.empty[at] = true;
            Lengths lengths{0, kNone, kNone};
            for (const std::uint32_t kid : node.kids) {
              result.empty[at] = result.empty[at] && table_[kid].empty[at];
              lengths = advance(lengths, kid, first, last);
            }
            result.length[at] = lengths[after];
            break;
          }
        }
      }
    }
    return result;
  }

  /// Appends a shortest match with bytes. Recursion is as deep as the tree: bounded by the parser.
  void write(std::uint32_t id, bool first, bool last) {
    const RegexNode& node = regex_.nodes[id];
    switch (node.kind) {
      case Kind::bytes: result_ += plain_byte(node.set); break;
      case Kind::hole: result_ += encode_hole(node.hole); break;
      case Kind::star:
      case Kind::plus:
      case Kind::optional: write(node.kids.front(), first, last); break;
      case Kind::alternate: {
        const std::size_t at = context(first, last);
        const auto shorter = [&](std::uint32_t a, std::uint32_t b) {
          return table_[a].length[at] < table_[b].length[at];
        };
        write(*std::min_element(node.kids.begin(), node.kids.end(), shorter), first, last);
        break;
      }
      case Kind::concat: write_concat(node, first, last); break;
      case Kind::empty:
      case Kind::begin:
      case Kind::end: break;
    }
  }

  void write_concat(const RegexNode& node, bool first, bool last) {
    std::vector<Lengths> lengths{{0, kNone, kNone}};
    for (const std::uint32_t kid : node.kids) {
      lengths.push_back(advance(lengths.back(), kid, first, last));
    }
    // Walk back along the steps that gave the minimum, then write them in order.
    std::vector<const Step*> path(node.kids.size());
    Phase phase = after;
    for (std::size_t i = node.kids.size(); i-- > 0;) {
      const auto step = std::find_if(kSteps.begin(), kSteps.end(), [&](const Step& s) {
        const std::size_t length = plus(lengths[i][s.from], cost(node.kids[i], s, first, last));
        return s.to == phase && length != kNone && length == lengths[i + 1][phase];
      });
      path[i] = &*step;
      phase = step->from;
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (!path[i]->bytes) continue;
      write(node.kids[i], first && path[i]->keeps_first, last && path[i]->keeps_last);
    }
  }

  /// The member that reads best in a message.
  [[nodiscard]] static char plain_byte(const ByteSet& set) {
    constexpr std::string_view kLiked =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    for (const char byte : kLiked) {
      if (set.test(static_cast<unsigned char>(byte))) return byte;
    }
    std::size_t byte = ' ';  // printable ASCII before the rest
    for (std::size_t i = 0; i < set.size() && !set.test(byte); ++i) byte = (byte + 1) % set.size();
    return static_cast<char>(static_cast<unsigned char>(byte));
  }

  const Regex& regex_;
  std::vector<Shortest> table_;
  std::string result_;
};

}  // namespace

std::optional<std::string> sample(const Regex& regex) { return Sampler(regex).run(); }

}  // namespace nd7::pattern
