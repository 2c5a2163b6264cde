#include "compiler/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/check/bindings.hpp"
#include "compiler/check/names.hpp"
#include "compiler/check/rules.hpp"
#include "compiler/diagnostics/suggest.hpp"

namespace nd7 {
namespace {

constexpr std::array kLosses{
    Loss{"macos/host-by-port", true,
         "Seatbelt sees ports: an allow of one host opens its port on every host"},
    Loss{"macos/deny-host", true, "Seatbelt sees ports: a deny of one host cannot be kept"},
    Loss{
        "macos/system-allows", true,
        "no filter matches every request of the operation, so what system.sb allows stays allowed"},
    Loss{"linux/patterns", true,
         "Linux closes trees of paths: what a deny says by a pattern or by a kind of file is not "
         "kept"},
    Loss{"linux/host-by-port", true,
         "Linux sees ports: an allow of one host opens its port on every host"},
    Loss{"linux/deny-host", true, "Linux sees ports: a deny of one host cannot be kept"},
    Loss{"linux/operations", true,
         "a process on Linux may always fork, signal its own session, use a terminal that it can "
         "read, look at its session's processes, and make sockets where it may write"},
    Loss{
        "linux/pattern-allow", false,
        "Linux opens trees of paths: an allow by pattern opens the trees that it surely holds, and "
        "an exception by pattern is none"},
    Loss{"linux/part-of-access", false,
         "reading, writing, running and listening are one thing each: a part of one is not opened, "
         "and a deny of a part closes all of it"},
    Loss{"linux/closed-wholly", false, "what may not be read can be neither written nor run"},
    Loss{"linux/allow-except", false,
         "what one allow leaves out is closed to another that may reach into it"},
    Loss{"linux/addresses", false,
         "ports are open to both families of TCP or UDP, and on this machine too where they are "
         "open on every host: what is finer is not opened"},
    Loss{"linux/listen", false, "a port to listen on is one of this machine's loopback"},
    Loss{"linux/signals", false, "signals reach the processes of the session and no others"},
    Loss{"linux/private", false,
         "a session has its own /dev/shm and /run/user, and its own /tmp but for trees that are "
         "opened by name: the host's are not there"},
};

class Checker {
 public:
  Checker(const Composition& composition, const CheckOptions& options, Diagnostics& diagnostics)
      : composition_(composition), options_(options), diagnostics_(diagnostics) {}

  std::optional<ir::Policy> run() {
    const std::size_t errors = diagnostics_.error_count();
    const LoadedUnit& root = composition_.units.back();
    policy_.name = root.unit.set;
    policy_.target = options_.target;
    declare_builtin_params();
    const auto bound = resolve_bindings(composition_, options_, policy_, diagnostics_);
    for (const LoadedUnit& unit : composition_.units) check_unit(unit, bound);
    for (const LoadedUnit& unit : composition_.units) {
      if (unit.unit.in_base_chain) apply_edits(unit);
    }
    remove_dropped();
    if (!root.file.extends && root.unit.set != "floor") {
      diagnostics_.add(Code::ND2038, root.file.name_span, "this file has no base")
          .helps.emplace_back(
              "without `extends = \"floor\"` a program can do no more than these rules "
              "say, which few programs survive");
    }
    if (diagnostics_.error_count() != errors) return std::nullopt;
    return std::move(policy_);
  }

 private:
  void declare_builtin_params() {
    for (const char* key : {"HOME", "PROJ", "TMP", "EXIT"}) {
      ir::Param param;
      param.key = key;
      param.source = ir::ParamSource::builtin;
      policy_.params.push_back(std::move(param));
    }
    policy_.params[ir::kExit.value].optional = true;
  }

  void check_unit(const LoadedUnit& unit, const std::map<std::string, std::string>& bound) {
    const auto index = static_cast<std::uint32_t>(policy_.units.size());
    policy_.units.push_back(unit.unit);
    Names names{unit, bound, policy_, diagnostics_};
    RuleBuilder builder{options_, names, policy_, diagnostics_};
    for (const RuleNode& node : unit.file.rules) {
      auto rule = builder.build(node, index);
      if (node.kind == RuleNode::Kind::relax) {
        if (rule) relaxed_.push_back({&node, index, std::move(rule->clauses)});
        continue;
      }
      keys_.emplace(unit.unit.set + "/" + node.id, Known{kExcluded, node.kind});
      if (!rule || !builder.applies(node)) continue;
      keys_[unit.unit.set + "/" + node.id].index = policy_.rules.size();
      builder.take_directories(*rule, static_cast<std::uint32_t>(policy_.rules.size()));
      policy_.rules.push_back(std::move(*rule));
    }
    const bool is_root = &unit == &composition_.units.back();
    for (const ExpectNode& node : unit.file.expects) {
      auto expectation = builder.build(node, index);
      if (expectation && is_root) policy_.expectations.push_back(std::move(*expectation));
    }
    if (unit.file.within)
      policy_.limits.push_back({unit.file.within->text, unit.file.within->span});
    names.report_unused();
  }

  void apply_edits(const LoadedUnit& unit) {
    for (const ReasonNode& drop : unit.file.drops) apply_drop(drop);
    for (const ReasonNode& accept : unit.file.accepts) apply_accept(accept);
    for (Relaxed& relaxed : relaxed_) {
      if (policy_.units[relaxed.unit].file == unit.file.file) apply_relax(relaxed);
    }
  }

  struct Known {
    std::size_t index;
    RuleNode::Kind kind;
  };
  struct Relaxed {
    const RuleNode* node;
    std::uint32_t unit;
    std::vector<ir::Clause> clauses;
  };
  static constexpr std::size_t kExcluded = SIZE_MAX;  ///< `on` names other systems

  /// The rule that an edit names, if it is of the wanted kind.
  const Known* edited(const std::string& key, Span span, RuleNode::Kind kind, Code code,
                      std::string_view verb) {
    if (key.rfind("nd7/", 0) == 0) {
      diagnostics_.add(Code::ND2042, span,
                       fmt::format("`{}` is the compiler's own and stays", key));
      return nullptr;
    }
    const auto at = keys_.find(key);
    if (at != keys_.end() && at->second.kind == kind) return &at->second;
    const std::string_view wanted = kind == RuleNode::Kind::deny ? "deny" : "allow";
    if (at != keys_.end()) {
      auto& d = diagnostics_.add(code, span,
                                 fmt::format("`{}` is not {} rule", key,
                                             kind == RuleNode::Kind::deny ? "a deny" : "an allow"));
      d.helps.push_back(at->second.kind == RuleNode::Kind::never
                            ? "a `never` cannot be lifted; it would have to change where it stands"
                        : kind == RuleNode::Kind::deny
                            ? "an allow is taken out by `[drop]`"
                            : "a deny is lifted, for named subjects only, by `[relax]`");
      return nullptr;
    }
    std::vector<std::string> candidates;
    if (diagnostics_.error_count() < kMostSuggestions) {
      for (const auto& [known, value] : keys_) {
        if (value.kind == kind) candidates.push_back(known);
      }
    }
    auto& d =
        diagnostics_.add(code, span, fmt::format("there is no {} `{}` to {}", wanted, key, verb));
    if (const auto near = nearest(key, candidates)) {
      d.fixits.push_back({span, "\"" + *near + "\"", fmt::format("did you mean `{}`?", *near)});
    } else if (key.find('/') == std::string::npos) {
      d.helps.emplace_back("rules of other files are named `set/id`, in quotes");
    }
    return nullptr;
  }

  void apply_relax(Relaxed& relaxed) {
    const RuleNode& node = *relaxed.node;
    const Known* const known =
        edited(node.id, node.id_span, RuleNode::Kind::deny, Code::ND2040, "relax");
    if (known == nullptr || known->index == kExcluded) return;
    policy_.relaxations.push_back({static_cast<std::uint32_t>(known->index),
                                   std::move(relaxed.clauses), relaxed.unit, node.id_span});
  }

  void apply_drop(const ReasonNode& drop) {
    const Known* const known =
        edited(drop.key, drop.key_span, RuleNode::Kind::allow, Code::ND2041, "drop");
    if (known != nullptr && known->index != kExcluded) dropped_.push_back(known->index);
  }

  void apply_accept(const ReasonNode& accept) {
    const bool known = std::any_of(kLosses.begin(), kLosses.end(),
                                   [&](const Loss& loss) { return loss.name == accept.key; });
    if (known) {
      policy_.acceptances.push_back({accept.key, accept.reason.text, accept.key_span});
      return;
    }
    std::vector<std::string_view> names;
    for (const Loss& loss : kLosses) names.push_back(loss.name);
    auto& d = diagnostics_.add(Code::ND2045, accept.key_span,
                               fmt::format("`{}` is not a loss that nd7c knows", accept.key));
    if (const auto near = nearest(accept.key, names)) {
      d.fixits.push_back(
          {accept.key_span, "\"" + *near + "\"", fmt::format("did you mean `{}`?", *near)});
    } else {
      d.helps.push_back(fmt::format("the losses are `{}`", fmt::join(names, "`, `")));
    }
  }

  /// Takes the dropped rules out; indices of the others move down.
  void remove_dropped() {
    if (dropped_.empty()) return;
    std::sort(dropped_.begin(), dropped_.end());
    std::vector<std::uint32_t> moved(policy_.rules.size());
    std::vector<ir::Rule> kept;
    for (std::size_t i = 0; i < policy_.rules.size(); ++i) {
      if (std::binary_search(dropped_.begin(), dropped_.end(), i)) continue;
      moved[i] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(std::move(policy_.rules[i]));
    }
    policy_.rules = std::move(kept);
    for (ir::Relaxation& relaxation : policy_.relaxations) relaxation.rule = moved[relaxation.rule];
    std::vector<ir::Directory> directories;
    for (ir::Directory& directory : policy_.directories) {
      if (std::binary_search(dropped_.begin(), dropped_.end(), std::size_t{directory.rule}))
        continue;
      directory.rule = moved[directory.rule];
      directories.push_back(std::move(directory));
    }
    policy_.directories = std::move(directories);
  }

  const Composition& composition_;
  const CheckOptions& options_;
  Diagnostics& diagnostics_;
  ir::Policy policy_;
  std::map<std::string, Known> keys_;
  std::vector<Relaxed> relaxed_;
  std::vector<std::size_t> dropped_;
};

}  // namespace

std::optional<ir::Policy> check(const Composition& composition, const CheckOptions& options,
                                Diagnostics& diagnostics) {
  return Checker{composition, options, diagnostics}.run();
}

std::span<const Loss> losses() { return kLosses; }

}  // namespace nd7
