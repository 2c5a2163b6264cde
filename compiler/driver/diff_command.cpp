// nd7c diff OLD NEW and nd7c within LIMIT FILE
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/answer/invariants.hpp"
#include "compiler/driver/arrangements.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/policy_input.hpp"

namespace nd7::driver {
namespace {

using answer::Found;
using answer::Relation;
using decide::Answer;
using seatbelt::Op;

/// One direction of the difference on some operations.
struct Change {
  bool wider = false;  ///< NEW allows what OLD does not; else the other way round
  std::vector<Op> ops;
  std::string subject;
  std::string old_level;
  std::string new_level;
  std::optional<answer::Origin> old_by;
  std::optional<answer::Origin> new_by;
  answer::Placement placement;
};

struct Comparison {
  std::vector<Change> changes;
  std::vector<Op> undecided;
  std::vector<std::string> doubts;  ///< other reasons why nothing found proves nothing
  std::string bug;

  [[nodiscard]] bool decided() const { return undecided.empty() && doubts.empty(); }
};

class Comparer {
 public:
  Comparer(const LoadedPolicy& before, const LoadedPolicy& after, const SourceMap& sources,
           const Resolved& options, seatbelt::read::Model model)
      : before_(before), after_(after), sources_(sources), options_(options), model_(model) {}

  /// `wider_only` stops at what NEW opens.
  Comparison run(bool wider_only) {
    Arrangements where = arrangements(before_, after_, sources_, options_);
    result_.doubts = std::move(where.doubts);
    for (const answer::Placement& placement : where.list) {
      auto old_view = view_at(before_, placement, sources_, options_, model_, false, result_.bug);
      auto new_view = view_at(after_, placement, sources_, options_, model_, false, result_.bug);
      if (!result_.bug.empty()) return std::move(result_);
      if (!old_view || !new_view) {
        add_once(result_.doubts, fmt::format("a profile does not load with {}", placement.meaning));
        continue;
      }
      // An import that may hold anything, on either side, leaves everything open.
      for (const answer::View* const view : {&*old_view, &*new_view}) {
        for (const auto& import : view->side.base().imports) {
          const bool anything = import.kind == seatbelt::read::Import::Kind::unknown;
          if (anything)
            add_once(result_.doubts, fmt::format("`{}` may hold anything", import.name));
        }
      }
      for (const Op op : operations_of_interest(old_view->side, new_view->side)) {
        look(*new_view, *old_view, op, true, placement);
        if (!wider_only) look(*old_view, *new_view, op, false, placement);
      }
    }
    return std::move(result_);
  }

 private:
  void look(answer::View& first, answer::View& second, Op op, bool wider,
            const answer::Placement& placement) {
    // One witness an operation and direction is enough; later placements say the same again.
    for (const Change& change : result_.changes) {
      if (change.wider == wider &&
          std::find(change.ops.begin(), change.ops.end(), op) != change.ops.end()) {
        return;
      }
    }
    const Found found = find(first.side, second.side, op, Relation::above);
    if (found.answer == Answer::no) return;
    if (found.answer == Answer::undecided) {
      if (std::find(result_.undecided.begin(), result_.undecided.end(), op) ==
          result_.undecided.end()) {
        result_.undecided.push_back(op);
      }
      return;
    }
    Change change;
    change.wider = wider;
    change.ops = {op};
    change.subject = answer::subject_text(found.request);
    change.placement = placement;
    answer::View& old_view = wider ? second : first;
    answer::View& new_view = wider ? first : second;
    change.old_level = to_string(old_view.side.level(found.request));
    change.new_level = to_string(new_view.side.level(found.request));
    change.old_by = answer::decided_by(old_view, found.request);
    change.new_by = answer::decided_by(new_view, found.request);
    for (Change& known : result_.changes) {
      if (known.wider == wider && known.subject == change.subject &&
          known.placement.same_as(placement) && label(known.new_by) == label(change.new_by) &&
          label(known.old_by) == label(change.old_by)) {
        known.ops.push_back(op);
        return;
      }
    }
    result_.changes.push_back(std::move(change));
  }

  static void add_once(std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  }

  static std::string label(const std::optional<answer::Origin>& origin) {
    return origin ? origin->label : "";
  }

  const LoadedPolicy& before_;
  const LoadedPolicy& after_;
  const SourceMap& sources_;
  const Resolved& options_;
  seatbelt::read::Model model_;
  Comparison result_;
};

std::string origin_text(const std::optional<answer::Origin>& origin) {
  if (!origin) return "the default";
  return printable(origin->place.empty() ? origin->label
                                         : fmt::format("{} ({})", origin->label, origin->place));
}

std::string ops_text(const std::vector<Op>& ops) {
  std::string text;
  for (const Op op : ops) text += fmt::format("{}{}", text.empty() ? "" : " ", seatbelt::name(op));
  return text;
}

std::string_view summary(const Comparison& comparison) {
  bool wider = false;
  bool narrower = false;
  for (const Change& change : comparison.changes) (change.wider ? wider : narrower) = true;
  if (wider && narrower) return "incomparable";
  if (!comparison.decided()) return "undecided";
  if (wider) return "wider";
  return narrower ? "narrower" : "equal";
}

std::string human(const Comparison& comparison) {
  std::string text = fmt::format("{}\n", summary(comparison));
  for (const Change& change : comparison.changes) {
    text +=
        fmt::format("{} {}\n", change.wider ? "+ wider:   " : "- narrower:", ops_text(change.ops));
    text += fmt::format("    for example {}\n", printable(change.subject));
    text += fmt::format("    was {} by {}\n", change.old_level, origin_text(change.old_by));
    text += fmt::format("    is  {} by {}\n", change.new_level, origin_text(change.new_by));
    if (!change.placement.meaning.empty()) {
      text += fmt::format("    with {} ({})\n", printable(change.placement.meaning),
                          printable(placement_text(change.placement)));
    }
  }
  for (const std::string& doubt : comparison.doubts) {
    text += fmt::format("? undecided: {}\n", printable(doubt));
  }
  if (!comparison.undecided.empty()) {
    text += fmt::format("? undecided within the work bound: {}\n", ops_text(comparison.undecided));
  }
  return text;
}

std::string origin_json(const std::optional<answer::Origin>& origin) {
  if (!origin) return "null";
  return fmt::format("{{\"id\": {}, \"place\": {}}}", json_string(origin->label),
                     json_string(origin->place));
}

std::string ops_json(const std::vector<Op>& ops) {
  std::string text;
  for (const Op op : ops) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", seatbelt::name(op));
  }
  return "[" + text + "]";
}

std::string json(const Comparison& comparison) {
  std::string changes;
  for (const Change& change : comparison.changes) {
    changes += fmt::format(
        "{}{{\"direction\": \"{}\", \"ops\": {}, \"witness\": {}, \"old\": \"{}\", \"new\": "
        "\"{}\", "
        "\"old_rule\": {}, \"new_rule\": {}, \"placement\": {}}}",
        changes.empty() ? "" : ", ", change.wider ? "wider" : "narrower", ops_json(change.ops),
        json_string(change.subject), change.old_level, change.new_level, origin_json(change.old_by),
        origin_json(change.new_by), json_string(placement_text(change.placement)));
  }
  std::string doubts;
  for (const std::string& doubt : comparison.doubts) {
    doubts += (doubts.empty() ? "" : ", ") + json_string(doubt);
  }
  return fmt::format(
      "{{\"result\": \"{}\", \"changes\": [{}], \"undecided\": {}, \"doubts\": [{}]}}\n",
      summary(comparison), changes, ops_json(comparison.undecided), doubts);
}

struct Pair {
  std::string before;
  std::string after;
  PolicyOptions policy;
  ProfileOptions profile;
  OutputOptions output;
};

/// Loads and compares; nullopt after a message, with the exit code in `code`.
std::optional<Comparison> compare(const Pair& pair, const Resolved& options, bool wider_only,
                                  int& code) {
  const auto model = parse_model(pair.profile.model);
  if (!model) {
    code = kUsage;
    return std::nullopt;
  }
  SourceMap sources;
  Diagnostics diagnostics;
  const auto before =
      load_policy(pair.before, sources, options, pair.profile, Unset::may_fail, diagnostics, code);
  const auto after =
      load_policy(pair.after, sources, options, pair.profile, Unset::may_fail, diagnostics, code);
  if (!before || !after) {
    (void)show(diagnostics, sources, options.console);
    return std::nullopt;
  }
  const std::array<const LoadedPolicy*, 2> both{&*before, &*after};
  if (!check_bindings(both, options, diagnostics)) {
    (void)show(diagnostics, sources, options.console);
    code = kFindings;
    return std::nullopt;
  }
  if (options.console.format != Format::json && !show(diagnostics, sources, options.console)) {
    code = kFindings;
    return std::nullopt;
  }
  Comparison comparison = Comparer{*before, *after, sources, options, *model}.run(wider_only);
  if (comparison.bug.empty()) return comparison;
  (void)write_all(STDERR_FILENO, fmt::format("nd7c: internal error: {}\n", comparison.bug));
  code = kInternal;
  return std::nullopt;
}

}  // namespace

int run_diff(const Words& words) {
  CLI::App app{"Say what NEW allows that OLD does not, and the other way round.", "nd7c diff"};
  Pair pair;
  std::string fail_on;
  app.add_option("OLD", pair.before, "a rules file or a Seatbelt profile")->required();
  app.add_option("NEW", pair.after, "a rules file or a Seatbelt profile")->required();
  app.add_option("--fail-on", fail_on, "exit 1 if NEW is: wider, narrower, or any (different)")
      ->type_name("WHAT");
  add_policy_options(app, pair.policy);
  add_profile_options(app, pair.profile);
  add_output_options(app, pair.output);
  if (const auto code = parse(app, words)) return *code;
  if (!fail_on.empty() && fail_on != "wider" && fail_on != "narrower" && fail_on != "any") {
    return usage_error(
        fmt::format("--fail-on wants wider, narrower or any, not `{}`", printable(fail_on)));
  }
  const auto resolved = resolve(pair.policy, pair.output);
  if (!resolved) return kUsage;
  int code = kClean;
  const auto comparison = compare(pair, *resolved, false, code);
  if (!comparison) return code;
  const std::string text =
      resolved->console.format == Format::json ? json(*comparison) : human(*comparison);
  if (!write_all(STDOUT_FILENO, text)) return kFindings;
  for (const Change& change : comparison->changes) {
    if (fail_on == "any" || fail_on == (change.wider ? "wider" : "narrower")) return kFindings;
  }
  return comparison->decided() ? kClean : kUndecided;
}

int run_within(const Words& words) {
  CLI::App app{"Prove that FILE allows nothing that LIMIT does not.", "nd7c within"};
  Pair pair;
  app.add_option("LIMIT", pair.before, "a rules file or a Seatbelt profile")->required();
  app.add_option("FILE", pair.after, "a rules file or a Seatbelt profile")->required();
  add_policy_options(app, pair.policy);
  add_profile_options(app, pair.profile);
  add_output_options(app, pair.output);
  if (const auto code = parse(app, words)) return *code;
  const auto resolved = resolve(pair.policy, pair.output);
  if (!resolved) return kUsage;
  int code = kClean;
  const auto comparison = compare(pair, *resolved, true, code);
  if (!comparison) return code;
  std::string text;
  if (resolved->console.format == Format::json) {
    text = json(*comparison);
  } else if (comparison->changes.empty()) {
    text = comparison->decided() ? "within: every request that FILE allows, LIMIT allows\n"
                                 : human(*comparison);
  } else {
    text = "not within\n" + human(*comparison);
  }
  if (!write_all(STDOUT_FILENO, text)) return kFindings;
  if (!comparison->changes.empty()) return kFindings;
  return comparison->decided() ? kClean : kUndecided;
}

}  // namespace nd7::driver
