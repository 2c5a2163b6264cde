// A side's answer for one operation and one kind of text, as a Boolean function of languages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/answer/search.hpp"
#include "compiler/decide/search.hpp"

namespace nd7::answer {

/// An expression over leaves; children stand before their parents.
struct Tree {
  enum class Kind : std::uint8_t { constant, language, fact, negation, all, any };
  struct Node {
    Kind kind = Kind::constant;
    bool value = false;       ///< constant
    std::uint32_t index = 0;  ///< language: of Prepared::languages; fact: an atom of the base
    std::vector<std::uint32_t> kids;
  };
  std::vector<Node> nodes;

  std::uint32_t add(Node node) {
    nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  std::uint32_t constant(bool value) { return add({Kind::constant, value, 0, {}}); }
};

struct Side::Prepared {
  std::uint64_t id = 0;  ///< of no other one that was ever made
  std::vector<decide::Language> languages;
  /// By language: the texts of its expressions, so that equal ones are known; empty for automata,
  /// which can be compared.
  std::vector<std::string> sources;
  Tree tree;
  std::uint32_t allowed = 0;     ///< node: allowed, confined or not
  std::uint32_t unconfined = 0;  ///< node
  bool complete = true;          ///< false: some expression is too large to be followed
  /// Atoms about something else than the text: they are decided by the facts of a request.
  std::vector<seatbelt::read::AtomId> facts;
};

/// `variant` is one whose subject is a text: a path, a socket's path, a name.
[[nodiscard]] Side::Prepared prepare(const seatbelt::read::RuleBase& base,
                                     const std::vector<seatbelt::read::Step>& steps,
                                     seatbelt::Op op, seatbelt::Variant variant);

}  // namespace nd7::answer
