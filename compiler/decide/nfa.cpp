#include "compiler/decide/nfa.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace nd7::decide {

using pattern::RegexNode;

/// Thompson's construction, without recursion: a node's fragment is made after its children's.
class Nfa::RegexCompiler {
 public:
  RegexCompiler(Nfa& nfa, const pattern::Regex& regex, std::span<const std::string> holes)
      : nfa_(nfa), regex_(regex), holes_(holes) {}

  struct Fragment {
    std::uint32_t in;
    std::uint32_t out;  ///< a `jump` whose target is still open
  };

  std::optional<Fragment> compile() {
    if (regex_.root >= regex_.nodes.size()) return std::nullopt;
    tasks_.push_back({regex_.root, false});
    while (!tasks_.empty()) {
      if (nfa_.size() > kMaxNfaStates) return std::nullopt;
      const Task task = tasks_.back();
      tasks_.pop_back();
      const RegexNode& node = regex_.nodes[task.node];
      if (task.children_done) {
        combine(node);
      } else if (!node.kids.empty()) {
        // Trees from the parser are far smaller; a cycle ends here.
        if (tasks_.size() + node.kids.size() > kMaxNfaStates) return std::nullopt;
        tasks_.push_back({task.node, true});
        for (const std::uint32_t kid : node.kids) {
          if (kid >= regex_.nodes.size()) return std::nullopt;
          tasks_.push_back({kid, false});
        }
      } else if (!leaf(node)) {
        return std::nullopt;
      }
    }
    return done_.back();
  }

 private:
  struct Task {
    std::uint32_t node;
    bool children_done;
  };

  std::uint32_t open_end() { return nfa_.add_state(State::Kind::jump, 0); }
  void connect(std::uint32_t out, std::uint32_t in) { nfa_.states_[out].next = in; }

  std::uint32_t byte_state(const std::bitset<256>& set, std::uint32_t next) {
    const std::uint32_t id = nfa_.add_state(State::Kind::bytes, next);
    nfa_.states_[id].set = nfa_.set_id(set);
    return id;
  }

  bool leaf(const RegexNode& node) {
    const std::uint32_t out = open_end();
    switch (node.kind) {
      case RegexNode::Kind::bytes: done_.push_back({byte_state(node.set, out), out}); return true;
      case RegexNode::Kind::begin:
        done_.push_back({nfa_.add_state(State::Kind::begin, out), out});
        return true;
      case RegexNode::Kind::end:
        done_.push_back({nfa_.add_state(State::Kind::end, out), out});
        return true;
      case RegexNode::Kind::hole: {
        if (node.hole >= holes_.size()) return false;
        const std::string& text = holes_[node.hole];
        if (text.size() > kMaxNfaStates - std::min(nfa_.size(), kMaxNfaStates)) return false;
        std::uint32_t in = out;
        for (auto it = text.rbegin(); it != text.rend(); ++it) {
          std::bitset<256> set;
          set.set(static_cast<unsigned char>(*it));
          in = byte_state(set, in);
        }
        done_.push_back({in, out});
        return true;
      }
      case RegexNode::Kind::alternate:  // of nothing: matches nothing
        done_.push_back({nfa_.add_split({}), out});
        return true;
      default: done_.push_back({out, out}); return true;
    }
  }

  /// The children's fragments are the last ones done, the last child's first.
  void combine(const RegexNode& node) {
    const std::size_t first = done_.size() - node.kids.size();
    const std::vector<Fragment> kids(done_.rbegin(), done_.rend() - static_cast<long>(first));
    done_.resize(first);
    switch (node.kind) {
      case RegexNode::Kind::alternate: {
        std::vector<std::uint32_t> targets;
        const std::uint32_t out = open_end();
        for (const Fragment& kid : kids) {
          targets.push_back(kid.in);
          connect(kid.out, out);
        }
        done_.push_back({nfa_.add_split(targets), out});
        return;
      }
      case RegexNode::Kind::star:
      case RegexNode::Kind::plus:
      case RegexNode::Kind::optional: {
        const Fragment& kid = kids.front();
        const std::uint32_t out = open_end();
        const std::uint32_t split = nfa_.add_split(std::array<std::uint32_t, 2>{kid.in, out});
        connect(kid.out, node.kind == RegexNode::Kind::optional ? out : split);
        done_.push_back({node.kind == RegexNode::Kind::plus ? kid.in : split, out});
        return;
      }
      default: {
        for (std::size_t i = 0; i + 1 < kids.size(); ++i) connect(kids[i].out, kids[i + 1].in);
        done_.push_back({kids.front().in, kids.back().out});
        return;
      }
    }
  }

  Nfa& nfa_;
  const pattern::Regex& regex_;
  std::span<const std::string> holes_;
  std::vector<Task> tasks_;
  std::vector<Fragment> done_;
};

std::uint32_t Nfa::add_state(State::Kind kind, std::uint32_t next) {
  State state;
  state.kind = kind;
  state.next = next;
  states_.push_back(state);
  return static_cast<std::uint32_t>(states_.size() - 1);
}

std::uint32_t Nfa::add_split(std::span<const std::uint32_t> targets) {
  const std::uint32_t id =
      add_state(State::Kind::split, static_cast<std::uint32_t>(branches_.size()));
  states_[id].count = static_cast<std::uint32_t>(targets.size());
  branches_.insert(branches_.end(), targets.begin(), targets.end());
  return id;
}

std::uint32_t Nfa::set_id(const std::bitset<256>& set) {
  std::array<std::uint32_t, 8> words{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (set[byte]) words[byte / 32] |= 1U << (byte % 32);
  }
  const std::uint32_t id = set_ids_.intern(words);
  if (id == sets_.size()) sets_.push_back(set);
  return id;
}

void Nfa::truncate(std::size_t states, std::size_t branches) {
  states_.resize(states);
  branches_.resize(branches);
}

bool Nfa::add(const pattern::Regex& regex, std::span<const std::string> holes,
              std::uint32_t pattern) {
  const std::size_t states = states_.size();
  const std::size_t branches = branches_.size();
  const auto fragment = RegexCompiler(*this, regex, holes).compile();
  if (!fragment || states_.size() > kMaxNfaStates) {
    truncate(states, branches);
    return false;
  }
  const std::uint32_t match = add_state(State::Kind::match, pattern);
  states_[fragment->out].next = match;
  entries_.push_back(fragment->in);
  floating_entries_.push_back(fragment->in);
  return true;
}

bool Nfa::add(const Automaton& automaton, std::uint32_t pattern) {
  const TransitionTable& table = automaton.table();
  const std::size_t states = states_.size();
  const std::size_t branches = branches_.size();
  if (table.size() + table.edges.size() > kMaxNfaStates - std::min(states, kMaxNfaStates)) {
    return false;
  }
  std::vector<std::bitset<256>> bytes_of(table.classes.count());
  for (unsigned byte = 0; byte < 256; ++byte) {
    bytes_of[table.classes.of(static_cast<unsigned char>(byte))].set(byte);
  }
  const auto first = static_cast<std::uint32_t>(states_.size());
  const std::uint32_t match = first + table.size();
  for (std::uint32_t s = 0; s < table.size(); ++s) (void)add_state(State::Kind::split, 0);
  (void)add_state(State::Kind::match, pattern);
  const std::uint32_t match_at_end = add_state(State::Kind::end, match);
  std::vector<std::uint32_t> targets;
  std::vector<std::pair<std::uint32_t, std::bitset<256>>> by_target;
  for (std::uint32_t s = 0; s < table.size(); ++s) {
    targets.clear();
    if (table.accepting[s] != 0) targets.push_back(table.is_sink(s) ? match : match_at_end);
    by_target.assign(1, {table.base[s], std::bitset<256>().set()});
    for (const Edge& edge : table.edges_of(s)) {
      by_target.front().second &= ~bytes_of[edge.byte_class];
      by_target.push_back({edge.target, bytes_of[edge.byte_class]});
    }
    std::ranges::sort(by_target, {}, [](const auto& entry) { return entry.first; });
    for (std::size_t i = 0; i < by_target.size();) {
      const std::uint32_t target = by_target[i].first;
      std::bitset<256> set;
      for (; i < by_target.size() && by_target[i].first == target; ++i) set |= by_target[i].second;
      if (table.is_sink(s) || (table.is_sink(target) && table.accepting[target] == 0)) continue;
      const std::uint32_t id = add_state(State::Kind::bytes, first + target);
      states_[id].set = set_id(set);
      targets.push_back(id);
    }
    states_[first + s].next = static_cast<std::uint32_t>(branches_.size());
    states_[first + s].count = static_cast<std::uint32_t>(targets.size());
    branches_.insert(branches_.end(), targets.begin(), targets.end());
  }
  if (states_.size() > kMaxNfaStates) {
    truncate(states, branches);
    return false;
  }
  entries_.push_back(first);
  return true;
}

void Nfa::finish() {
  for (const std::bitset<256>& set : sets_) classes_.refine(set);
  classes_of_set_.resize(sets_.size());
  for (std::size_t id = 0; id < sets_.size(); ++id) {
    std::vector<bool> in(classes_.count(), false);
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (sets_[id][byte]) in[classes_.of(static_cast<unsigned char>(byte))] = true;
    }
    for (std::uint32_t c = 0; c < in.size(); ++c) {
      if (in[c]) classes_of_set_[id].push_back(c);
    }
  }
  NfaWalker walker(*this);
  NfaPosition position;
  walker.reach(floating_entries_, false, position);
  floating_at_end_ = position.at_end;
  floating_next_.resize(classes_.count());
  anchored_ = position.states.empty() && position.at_end.empty();
  for (const std::uint32_t id : position.states) {
    states_[id].floating = true;
    for (const std::uint32_t c : classes_of_set_[states_[id].set]) {
      floating_next_[c].push_back(states_[id].next);
    }
  }
}

std::size_t Nfa::memory() const {
  std::size_t lists = 0;
  for (const auto& list : classes_of_set_) lists += list.capacity();
  for (const auto& list : floating_next_) lists += list.capacity();
  return states_.capacity() * sizeof(State) + sets_.capacity() * sizeof(std::bitset<256>) +
         (branches_.capacity() + entries_.capacity() + floating_entries_.capacity() + lists) *
             sizeof(std::uint32_t) +
         set_ids_.memory();
}

void NfaWalker::push(std::uint32_t state) {
  if (seen_[state] == epoch_) return;
  seen_[state] = epoch_;
  stack_.push_back(state);
}

void NfaWalker::follow(bool at_start, bool at_end, NfaPosition& out) {
  while (!stack_.empty()) {
    const std::uint32_t id = stack_.back();
    stack_.pop_back();
    ++work_;
    const Nfa::State& state = nfa_.state(id);
    switch (state.kind) {
      case Nfa::State::Kind::jump: push(state.next); break;
      case Nfa::State::Kind::split:
        for (const std::uint32_t target : nfa_.branches(state)) push(target);
        break;
      case Nfa::State::Kind::bytes:
        if (!at_end && !state.floating) out.states.push_back(id);
        break;
      case Nfa::State::Kind::begin:
        if (at_start) push(state.next);
        break;
      case Nfa::State::Kind::end:
        if (at_end)
          push(state.next);
        else
          ends_.push_back(state.next);
        break;
      case Nfa::State::Kind::match:
        out.at_end.push_back(state.next);
        if (!at_end) out.now.push_back(state.next);
        break;
    }
  }
}

void NfaWalker::reach(std::span<const std::uint32_t> seeds, bool at_start, NfaPosition& out) {
  if (++epoch_ == 0) {  // the counter came round
    std::ranges::fill(seen_, 0U);
    epoch_ = 1;
  }
  out.states.clear();
  out.now.clear();
  const auto floating = nfa_.floating_at_end();
  out.at_end.assign(floating.begin(), floating.end());
  ends_.clear();
  for (const std::uint32_t seed : seeds) push(seed);
  follow(at_start, false, out);
  // What lies behind `$` can no longer read a byte, only match.
  for (const std::uint32_t state : ends_) push(state);
  follow(at_start, true, out);
  std::ranges::sort(out.states);
  for (auto* patterns : {&out.now, &out.at_end}) {
    std::ranges::sort(*patterns);
    patterns->erase(std::unique(patterns->begin(), patterns->end()), patterns->end());
  }
}

}  // namespace nd7::decide
