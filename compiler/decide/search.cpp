#include "compiler/decide/search.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/decide/regex_automaton.hpp"
#include "compiler/decide/sequence_table.hpp"

namespace nd7::decide {
namespace {

Answer negated(Answer value) {
  if (value == Answer::undecided) return value;
  return value == Answer::yes ? Answer::no : Answer::yes;
}

/// One language within a search.
class Component {
 public:
  Component(const Language& language, const ByteClasses& joint) {
    if (const Automaton* automaton = language.automaton()) {
      table_ = &automaton->table();
      within_ = joint.within(table_->classes);
    } else {
      lazy_.emplace(*language.nfa(), LazyDfa::Mode::settle);
      within_ = joint.within(language.nfa()->classes());
    }
  }

  std::uint32_t start() { return table_ != nullptr ? 0 : lazy_->start(); }

  [[nodiscard]] Answer accepts(std::uint32_t state) const {
    const bool yes =
        table_ != nullptr ? table_->accepting[state] != 0 : !lazy_->at_end(state).empty();
    return yes ? Answer::yes : Answer::no;
  }
  /// The answer for every continuation, if there is one.
  [[nodiscard]] Answer fate(std::uint32_t state) const {
    const bool settled = table_ != nullptr ? table_->is_sink(state) : lazy_->settled(state);
    return settled ? accepts(state) : Answer::undecided;
  }

  /// Calls set_base(target), then set(joint class, target) for classes that may differ.
  template <typename SetBase, typename Set>
  bool expand(std::uint32_t state, Meter& meter, SetBase set_base, Set set) {
    std::size_t work = 1;
    if (table_ != nullptr) {
      set_base(table_->base[state]);
      for (const Edge& edge : table_->edges_of(state)) {
        for (const std::uint32_t c : within_[edge.byte_class]) set(c, edge.target);
        work += within_[edge.byte_class].size();
      }
      return meter.take_steps(work);
    }
    if (rows_.size() <= state) rows_.resize(lazy_->size());
    if (rows_[state].empty() && !lazy_->expand(state, rows_[state], meter)) return false;
    const std::vector<std::uint32_t>& row = rows_[state];
    set_base(row[0]);
    for (std::uint32_t c = 1; c < row.size(); ++c) {
      if (row[c] == row[0]) continue;
      for (const std::uint32_t joint_class : within_[c]) set(joint_class, row[c]);
      work += within_[c].size();
    }
    return meter.take_steps(work);
  }

 private:
  const TransitionTable* table_ = nullptr;
  std::optional<LazyDfa> lazy_;
  std::vector<std::vector<std::uint32_t>> rows_;  // of lazy_, once expanded
  std::vector<std::vector<std::uint32_t>> within_;
};

/// Breadth first over tuples of states. Within a level each tuple keeps its most readable word.
class Search {
 public:
  Search(std::span<const Language> languages, const Formula& formula, const Budget& budget)
      : formula_(formula), meter_(budget) {
    for (const Language& language : languages) {
      joint_.refine(language.automaton() != nullptr ? language.automaton()->table().classes
                                                    : language.nfa()->classes());
    }
    components_.reserve(languages.size());
    for (const Language& language : languages) components_.emplace_back(language, joint_);
    width_ = components_.size();
    bytes_ = joint_.readable_bytes();
    rows_.resize(width_ * joint_.count());
    base_.resize(width_);
    leaves_.resize(width_);
  }

  SearchResult run() {
    std::vector<std::uint32_t> tuple;
    for (Component& component : components_) tuple.push_back(component.start());
    if (!visit(tuple, 0, 0, 0)) return {};
    std::uint32_t level = 0;
    while (level < nodes_.size()) {
      const auto level_end = static_cast<std::uint32_t>(nodes_.size());
      if (const auto best = best_accepted(level, level_end)) return {Answer::yes, word(*best)};
      level_end_ = level_end;
      for (std::uint32_t node = level; node < level_end; ++node) {
        if (!expand(node)) return {};
      }
      level = level_end;
    }
    return {meter_.exhausted() ? Answer::undecided : Answer::no, {}};
  }

 private:
  struct Node {
    std::uint32_t parent;
    std::uint32_t cost;  ///< of the word, within its length
    unsigned char byte;
    bool hopeless;  ///< no continuation satisfies the formula
  };

  Answer value(std::uint32_t node, Answer (Component::*of)(std::uint32_t) const) {
    const auto tuple = tuples_[node];
    for (std::size_t i = 0; i < width_; ++i) leaves_[i] = (components_[i].*of)(tuple[i]);
    return formula_.evaluate(leaves_, scratch_);
  }

  std::optional<std::uint32_t> best_accepted(std::uint32_t begin, std::uint32_t end) {
    std::optional<std::uint32_t> best;
    for (std::uint32_t node = begin; node < end; ++node) {
      if (nodes_[node].hopeless || (best && nodes_[*best].cost <= nodes_[node].cost)) continue;
      if (value(node, &Component::accepts) == Answer::yes) best = node;
    }
    return best;
  }

  [[nodiscard]] std::string word(std::uint32_t node) const {
    std::string text;
    for (; node != 0; node = nodes_[node].parent) text += static_cast<char>(nodes_[node].byte);
    std::ranges::reverse(text);
    return text;
  }

  bool expand(std::uint32_t node) {
    if (nodes_[node].hopeless) return true;
    const auto stored = tuples_[node];
    from_.assign(stored.begin(), stored.end());
    touched_.assign(joint_.count(), false);
    for (std::size_t i = 0; i < width_; ++i) {
      // Row i may be stale where it is not touched; base_ counts there.
      const auto set = [&](std::uint32_t c, std::uint32_t target) {
        if (!touched_[c]) {
          touched_[c] = true;
          for (std::size_t k = 0; k < i; ++k) rows_[c * width_ + k] = base_[k];
          for (std::size_t k = i; k < width_; ++k) rows_[c * width_ + k] = kUnset;
        }
        rows_[c * width_ + i] = target;
      };
      const auto set_base = [&](std::uint32_t target) { base_[i] = target; };
      if (!components_[i].expand(from_[i], meter_, set_base, set)) return false;
    }
    std::uint32_t plain = joint_.count();  // the most readable class on which all take their base
    for (std::uint32_t c = 0; c < joint_.count(); ++c) {
      if (!touched_[c]) {
        if (plain == joint_.count() || reading_cost(bytes_[c]) < reading_cost(bytes_[plain]))
          plain = c;
        continue;
      }
      for (std::size_t k = 0; k < width_; ++k) {
        if (rows_[c * width_ + k] == kUnset) rows_[c * width_ + k] = base_[k];
      }
      if (!visit({rows_.data() + c * width_, width_}, node, bytes_[c], nodes_[node].cost))
        return false;
    }
    return plain == joint_.count() || visit(base_, node, bytes_[plain], nodes_[node].cost);
  }

  bool visit(std::span<const std::uint32_t> tuple, std::uint32_t parent, unsigned char byte,
             std::uint32_t parent_cost) {
    if (!meter_.take_steps(width_ + 1)) return false;
    const std::uint32_t id = tuples_.intern(tuple);
    const std::uint32_t cost = parent_cost + reading_cost(byte);
    if (id < nodes_.size()) {
      if (id >= level_end_ && cost < nodes_[id].cost) {
        nodes_[id].parent = parent;
        nodes_[id].cost = cost;
        nodes_[id].byte = byte;
      }
      return true;
    }
    if (!meter_.take_states() || !meter_.take_steps(formula_.size())) return false;
    nodes_.push_back({parent, cost, byte, false});
    nodes_[id].hopeless = value(id, &Component::fate) == Answer::no;
    return true;
  }

  static constexpr std::uint32_t kUnset = 0xFFFFFFFF;

  const Formula& formula_;
  Meter meter_;
  ByteClasses joint_;
  std::vector<Component> components_;
  std::size_t width_ = 0;
  std::vector<unsigned char> bytes_;  // of each joint class
  SequenceTable tuples_;
  std::vector<Node> nodes_;
  std::uint32_t level_end_ = 0;
  std::vector<std::uint32_t> from_;
  std::vector<std::uint32_t> base_;
  std::vector<std::uint32_t> rows_;  // joint class by component
  std::vector<bool> touched_;
  std::vector<Answer> leaves_;
  std::vector<Answer> scratch_;
};

}  // namespace

std::optional<Language> Language::regex(const pattern::Regex& regex,
                                        std::span<const std::string> holes) {
  auto nfa = std::make_shared<Nfa>();
  if (!nfa->add(regex, holes, 0)) return std::nullopt;
  nfa->finish();
  return Language(std::shared_ptr<const Nfa>(std::move(nfa)));
}

std::optional<Language> Language::any_of(std::span<const pattern::Regex* const> expressions) {
  auto nfa = std::make_shared<Nfa>();
  std::uint32_t id = 0;
  for (const pattern::Regex* const expression : expressions) {
    if (!nfa->add(*expression, {}, id++)) return std::nullopt;
  }
  nfa->finish();
  return Language(std::shared_ptr<const Nfa>(std::move(nfa)));
}

const Nfa* Language::nfa() const {
  const auto* nfa = std::get_if<std::shared_ptr<const Nfa>>(&form_);
  return nfa != nullptr ? nfa->get() : nullptr;
}

Formula::Node Formula::add(Kind kind, std::span<const Node> operands) {
  const auto first = static_cast<std::uint32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  nodes_.push_back({kind, first, static_cast<std::uint32_t>(operands.size())});
  return static_cast<Node>(nodes_.size() - 1);
}

Formula::Node Formula::leaf(std::uint32_t index) {
  nodes_.push_back({Kind::leaf, index, 0});
  return static_cast<Node>(nodes_.size() - 1);
}

Formula::Node Formula::constant(bool value) {
  nodes_.push_back({Kind::constant, value ? 1U : 0U, 0});
  return static_cast<Node>(nodes_.size() - 1);
}

Formula::Node Formula::negate(Node operand) {
  return add(Kind::negation, std::array<Node, 1>{operand});
}
Formula::Node Formula::all_of(std::span<const Node> operands) {
  return add(Kind::conjunction, operands);
}
Formula::Node Formula::any_of(std::span<const Node> operands) {
  return add(Kind::disjunction, operands);
}

Answer Formula::evaluate(std::span<const Answer> leaves, std::vector<Answer>& scratch) const {
  scratch.assign(nodes_.size(), Answer::undecided);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Entry& node = nodes_[i];
    const std::span<const Node> operands(operands_.data(), operands_.size());
    switch (node.kind) {
      case Kind::leaf:
        if (node.first < leaves.size()) scratch[i] = leaves[node.first];
        break;
      case Kind::constant: scratch[i] = node.first != 0 ? Answer::yes : Answer::no; break;
      case Kind::negation: scratch[i] = negated(scratch[operands[node.first]]); break;
      case Kind::conjunction:
      case Kind::disjunction: {
        const Answer decisive = node.kind == Kind::conjunction ? Answer::no : Answer::yes;
        Answer value = negated(decisive);
        for (const Node operand : operands.subspan(node.first, node.count)) {
          if (scratch[operand] == decisive)
            value = decisive;
          else if (scratch[operand] == Answer::undecided && value != decisive)
            value = scratch[operand];
        }
        scratch[i] = value;
        break;
      }
    }
  }
  return scratch.empty() ? Answer::undecided : scratch.back();
}

SearchResult find_witness(std::span<const Language> languages, const Formula& formula,
                          const Budget& budget) {
  return Search(languages, formula, budget).run();
}

Answer included(const Automaton& a, const Automaton& b, const Budget& budget) {
  if (a == b || a.empty() || b.universal()) return Answer::yes;
  const std::array<Language, 2> languages{a, b};
  Formula formula;
  const Formula::Node in_a = formula.leaf(0);
  const Formula::Node in_b = formula.leaf(1);
  formula.all_of({in_a, formula.negate(in_b)});
  return negated(find_witness(languages, formula, budget).found);
}

Answer disjoint(const Automaton& a, const Automaton& b, const Budget& budget) {
  const std::array<Language, 2> languages{a, b};
  Formula formula;
  const Formula::Node in_a = formula.leaf(0);
  const Formula::Node in_b = formula.leaf(1);
  formula.all_of({in_a, in_b});
  return negated(find_witness(languages, formula, budget).found);
}

}  // namespace nd7::decide
