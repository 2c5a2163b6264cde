#include "compiler/answer/facts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "compiler/seatbelt/read/condition.hpp"

namespace nd7::answer {
namespace {

using seatbelt::Filter;
using seatbelt::Op;
using seatbelt::Subject;
using seatbelt::Variant;
using seatbelt::read::Atom;
using seatbelt::read::AtomId;
using seatbelt::read::RuleBase;

constexpr std::array<std::string_view, 8> kVnodeTypes{"REGULAR-FILE",     "DIRECTORY",   "SYMLINK",
                                                      "SOCKET",           "FIFO",        "TTY",
                                                      "CHARACTER-DEVICE", "BLOCK-DEVICE"};

/// Filters of the subject itself: the search puts their values there.
bool is_subject(Filter filter, Op op) {
  if (!info(filter).about_subject) return false;
  const auto variant = variant_of(filter, info(op).subject);
  if (!variant) return false;
  if (*variant == Variant::path || *variant == Variant::unix_socket) {
    return seatbelt::read::family_of(filter).base == Filter::literal ||
           filter == Filter::remote_unix || filter == Filter::local_unix;
  }
  // Of a signal, the target is the subject and the number a fact beside it.
  return filter != Filter::signal_number;
}

std::string value_of(const Atom& atom) {
  return atom.kind == Atom::Kind::number ? std::to_string(atom.number) : atom.text;
}

class Collector {
 public:
  void take(const RuleBase& base, const std::vector<AtomId>& atoms) {
    for (const AtomId id : atoms) {
      const Atom& atom = base.atoms[id];
      if (atom.filter == Filter::extension) {
        extensions_.insert(atom.text);
        continue;
      }
      std::set<std::string>& values = facts_[seatbelt::read::family_of(atom.filter).base];
      if (atom.filter == Filter::vnode_type) {
        values.insert(kVnodeTypes.begin(), kVnodeTypes.end());
      } else if (atom.kind != Atom::Kind::regex && atom.kind != Atom::Kind::none) {
        values.insert(value_of(atom));
      }
    }
  }

  std::optional<std::vector<Surroundings>> all() const {
    std::vector<Surroundings> result{{}};
    for (const std::string& extension : extensions_) {
      std::vector<Surroundings> next = result;
      for (Surroundings one : result) {
        one.extensions.push_back(extension);
        next.push_back(std::move(one));
      }
      result = std::move(next);
      if (result.size() > kMaxSurroundings) return std::nullopt;
    }
    for (const auto& [filter, values] : facts_) {
      std::set<std::string> choices = values;
      // And a value that no filter names.
      if (filter != Filter::vnode_type) choices.insert(fresh(values));
      std::vector<Surroundings> next;
      for (const Surroundings& one : result) {
        for (const std::string& value : choices) {
          next.push_back(one);
          next.back().facts.push_back({filter, value});
        }
      }
      result = std::move(next);
      if (result.size() > kMaxSurroundings) return std::nullopt;
    }
    return result;
  }

 private:
  static std::string fresh(const std::set<std::string>& values) {
    for (int number = 99;; ++number) {
      std::string value = std::to_string(number);
      if (values.count(value) == 0) return value;
    }
  }

  std::set<std::string> extensions_;
  std::map<Filter, std::set<std::string>> facts_;
};

}  // namespace

std::vector<AtomId> fact_atoms(const RuleBase& base, Op op) {
  std::vector<AtomId> result;
  for (AtomId id = 0; id < base.atoms.size(); ++id) {
    const Filter filter = base.atoms[id].filter;
    if (accepts(op, filter) && !is_subject(filter, op)) result.push_back(id);
  }
  return result;
}

std::optional<std::vector<Surroundings>> surroundings(Side& first, Side& second, Op op) {
  Collector collector;
  collector.take(first.base(), first.facts(op));
  collector.take(second.base(), second.facts(op));
  return collector.all();
}

}  // namespace nd7::answer
