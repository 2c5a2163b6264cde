#include "compiler/pattern/regex_builder.hpp"

#include <fmt/format.h>

#include <utility>

namespace nd7::pattern {
namespace {

using Kind = RegexNode::Kind;

bool repeats(Kind kind) {
  return kind == Kind::star || kind == Kind::plus || kind == Kind::optional;
}

ByteSet every_byte() {
  ByteSet set;
  set.set();
  set.reset(0);  // no subject holds NUL
  return set;
}

}  // namespace

void RegexBuilder::refuse(std::size_t at, std::size_t length, std::string message,
                          std::string help) {
  throw RegexRefusal{{at, length, false, std::move(message), std::move(help)}};
}

void RegexBuilder::unsupported(std::size_t at, std::size_t length, std::string message,
                               std::string help) {
  RegexError error{at, length, true, std::move(message), std::move(help)};
  if (mode_ == RegexMode::strict) throw RegexRefusal{std::move(error)};
  if (warnings_.size() < kMaxRegexWarnings) warnings_.push_back(std::move(error));
}

std::uint32_t RegexBuilder::add(RegexNode node) {
  if (regex_.nodes.size() == kMaxRegexNodes) {
    refuse(0, text_.size(), fmt::format("an expression of more than {} parts", kMaxRegexNodes),
           "split it into several expressions");
  }
  regex_.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(regex_.nodes.size() - 1);
}

void RegexBuilder::open_group(std::size_t at) {
  if (frames_.size() > kMaxRegexDepth) {
    refuse(at, 1, fmt::format("groups nested more than {} deep", kMaxRegexDepth));
  }
  frames_.push_back({at, {}, {}});
}

void RegexBuilder::next_alternative() {
  Frame& frame = frames_.back();
  std::vector<std::uint32_t> pieces = std::exchange(frame.pieces, {});
  RegexNode node;
  if (pieces.size() == 1) {
    frame.alternatives.push_back(pieces.front());
    return;
  }
  node.kind = pieces.empty() ? Kind::empty : Kind::concat;
  node.kids = std::move(pieces);
  frame.alternatives.push_back(add(std::move(node)));
}

std::uint32_t RegexBuilder::finish_frame() {
  next_alternative();
  std::vector<std::uint32_t> alternatives = std::move(frames_.back().alternatives);
  frames_.pop_back();
  if (alternatives.size() == 1) return alternatives.front();
  RegexNode node;
  node.kind = Kind::alternate;
  node.kids = std::move(alternatives);
  return add(std::move(node));
}

void RegexBuilder::close_group() {
  const std::uint32_t group = finish_frame();
  frames_.back().pieces.push_back(group);
}

Regex RegexBuilder::take() {
  regex_.root = finish_frame();
  return std::move(regex_);
}

void RegexBuilder::add_byte(char byte) {
  RegexNode node;
  node.kind = Kind::bytes;
  node.set.set(static_cast<unsigned char>(byte));
  add_piece(std::move(node));
}

void RegexBuilder::add_any_byte() {
  RegexNode node;
  node.kind = Kind::bytes;
  node.set = every_byte();
  add_piece(std::move(node));
}

void RegexBuilder::add_hole(std::uint32_t index) {
  RegexNode node;
  node.kind = Kind::hole;
  node.hole = index;
  add_piece(std::move(node));
}

void RegexBuilder::add_anchor(Kind kind) {
  RegexNode node;
  node.kind = kind;
  add_piece(std::move(node));
}

void RegexBuilder::quantify(char quantifier) {
  const Kind kind = quantifier == '*'   ? Kind::star
                    : quantifier == '+' ? Kind::plus
                                        : Kind::optional;
  std::uint32_t& piece = frames_.back().pieces.back();
  RegexNode& inner = regex_.nodes[piece];
  if (repeats(inner.kind)) {
    // Two repetitions are one, so that a row of quantifiers does not nest.
    if (inner.kind != kind) inner.kind = Kind::star;
    return;
  }
  RegexNode node;
  node.kind = kind;
  node.kids = {piece};
  piece = add(std::move(node));
}

void RegexBuilder::open_set(std::size_t at) {
  set_.reset();
  set_negated_ = false;
  set_begin_ = at;
}

void RegexBuilder::add_to_set(std::size_t at, char first, char last) {
  const std::size_t from = static_cast<unsigned char>(first);
  const std::size_t to = static_cast<unsigned char>(last);
  if (from > to) {
    refuse(at, 3, "a range whose ends are in the wrong order", "write the smaller byte first");
  }
  for (std::size_t byte = from; byte <= to; ++byte) set_.set(byte);
}

void RegexBuilder::close_set(std::size_t end) {
  RegexNode node;
  node.kind = Kind::bytes;
  node.set = set_negated_ ? every_byte() & ~set_ : set_;
  if (node.set.none()) {
    refuse(set_begin_, end - set_begin_, "a set that no byte is in");
  }
  add_piece(std::move(node));
}

}  // namespace nd7::pattern
