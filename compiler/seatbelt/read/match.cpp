#include "compiler/seatbelt/read/match.hpp"

#include <cstddef>
#include <utility>

namespace nd7::seatbelt::read {
namespace {

using Kind = pattern::RegexNode::Kind;

constexpr std::size_t kMaxDepth = 200;

class Compiler {
 public:
  explicit Compiler(const pattern::Regex& regex) : regex_(regex) {}

  std::optional<Program> run() {
    if (!node(regex_.root, 0)) return std::nullopt;
    emit(Instruction::Kind::accept);
    return std::move(program_);
  }

 private:
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(program_.code.size());
  }
  std::uint32_t emit(Instruction::Kind kind, std::uint32_t first = 0, std::uint32_t second = 0) {
    program_.code.push_back({kind, first, second});
    return here() - 1;
  }

  bool node(std::uint32_t id, std::size_t depth) {
    if (depth > kMaxDepth) return false;
    const pattern::RegexNode& at = regex_.nodes[id];
    switch (at.kind) {
      case Kind::empty: return true;
      case Kind::bytes:
        emit(Instruction::Kind::bytes, static_cast<std::uint32_t>(program_.sets.size()));
        program_.sets.push_back(at.set);
        return true;
      case Kind::concat:
        for (const std::uint32_t kid : at.kids) {
          if (!node(kid, depth + 1)) return false;
        }
        return true;
      case Kind::alternate: return alternate(at.kids, depth);
      case Kind::star: {
        const std::uint32_t split = emit(Instruction::Kind::split, here() + 1);
        if (!node(at.kids.at(0), depth + 1)) return false;
        emit(Instruction::Kind::jump, split);
        program_.code[split].second = here();
        return true;
      }
      case Kind::plus: {
        const std::uint32_t body = here();
        if (!node(at.kids.at(0), depth + 1)) return false;
        const std::uint32_t split = emit(Instruction::Kind::split, body);
        program_.code[split].second = here();
        return true;
      }
      case Kind::optional: {
        const std::uint32_t split = emit(Instruction::Kind::split, here() + 1);
        if (!node(at.kids.at(0), depth + 1)) return false;
        program_.code[split].second = here();
        return true;
      }
      case Kind::begin: emit(Instruction::Kind::begin); return true;
      case Kind::end: emit(Instruction::Kind::end); return true;
      case Kind::hole: return false;
    }
    return false;
  }

  bool alternate(const std::vector<std::uint32_t>& kids, std::size_t depth) {
    std::vector<std::uint32_t> exits;
    for (std::size_t i = 0; i < kids.size(); ++i) {
      const bool last = i + 1 == kids.size();
      const std::uint32_t split = last ? 0 : emit(Instruction::Kind::split, here() + 1);
      if (!node(kids[i], depth + 1)) return false;
      if (last) break;
      exits.push_back(emit(Instruction::Kind::jump));
      program_.code[split].second = here();
    }
    for (const std::uint32_t exit : exits) program_.code[exit].first = here();
    return true;
  }

  const pattern::Regex& regex_;
  Program program_;
};

/// The instructions that wait for a byte, each once.
class States {
 public:
  explicit States(std::size_t size) : seen_(size, 0) {}

  void clear() {
    waiting_.clear();
    ++round_;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& waiting() const { return waiting_; }

  /// Follows everything that takes no byte; true if that reaches the end of the program.
  bool add(const Program& program, std::uint32_t start, bool at_begin, bool at_end) {
    work_.push_back(start);
    bool accepted = false;
    while (!work_.empty()) {
      const std::uint32_t id = work_.back();
      work_.pop_back();
      if (seen_[id] == round_) continue;
      seen_[id] = round_;
      const Instruction& at = program.code[id];
      switch (at.kind) {
        case Instruction::Kind::bytes: waiting_.push_back(id); break;
        case Instruction::Kind::split:
          work_.push_back(at.second);
          work_.push_back(at.first);
          break;
        case Instruction::Kind::jump: work_.push_back(at.first); break;
        case Instruction::Kind::begin:
          if (at_begin) work_.push_back(id + 1);
          break;
        case Instruction::Kind::end:
          if (at_end) work_.push_back(id + 1);
          break;
        case Instruction::Kind::accept: accepted = true; break;
      }
    }
    return accepted;
  }

 private:
  std::vector<std::size_t> seen_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> work_;
  std::size_t round_ = 1;
};

/// Only at the start of the subject.
bool is_anchored(const Program& program) {
  return program.code.front().kind == Instruction::Kind::begin;
}

/// False if the bytes that have to follow `^` do not. Every run goes through them first.
bool begins_well(const Program& program, std::string_view subject) {
  if (!is_anchored(program)) return true;
  for (std::size_t i = 1; program.code[i].kind == Instruction::Kind::bytes; ++i) {
    if (i > subject.size()) return false;
    const auto byte = static_cast<unsigned char>(subject[i - 1]);
    if (!program.sets[program.code[i].first].test(byte)) return false;
  }
  return true;
}

}  // namespace

std::optional<Program> compile(const pattern::Regex& regex) { return Compiler(regex).run(); }

bool search(const Program& program, std::string_view subject) {
  if (program.code.empty() || !begins_well(program, subject)) return false;
  States now(program.code.size());
  States next(program.code.size());
  for (std::size_t i = 0;; ++i) {
    const bool at_end = i == subject.size();
    if (now.add(program, 0, i == 0, at_end)) return true;
    if (at_end || (i > 0 && now.waiting().empty() && is_anchored(program))) return false;
    next.clear();
    const auto byte = static_cast<unsigned char>(subject[i]);
    for (const std::uint32_t id : now.waiting()) {
      if (!program.sets[program.code[id].first].test(byte)) continue;
      if (next.add(program, id + 1, false, i + 1 == subject.size())) return true;
    }
    std::swap(now, next);
  }
}

}  // namespace nd7::seatbelt::read
