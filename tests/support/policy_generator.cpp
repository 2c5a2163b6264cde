#include "tests/support/policy_generator.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

namespace nd7::test {
namespace {

namespace rg = rc::gen;
using seatbelt::Filter;
using seatbelt::FilterValue;
using seatbelt::Op;
using seatbelt::Subject;
using seatbelt::Verb;
using Effect = RuleModel::Effect;
using Form = PathValue::Form;

template <class T>
T one_of(std::initializer_list<T> choices) {
  return *rg::elementOf(std::vector<T>{choices});
}

bool chance(int percent) { return *rg::inRange(0, 100) < percent; }
std::size_t up_to(std::size_t most) { return *rg::inRange<std::size_t>(1, most + 1); }

std::string component() {
  return *rg::weightedElement<std::string>({{10, "a"},
                                            {8, "b"},
                                            {6, "src"},
                                            {4, "Data"},
                                            {4, ".config"},
                                            {2, "a b"},
                                            {2, "na\xc3\xafve"},
                                            {1, "q\"uote"},
                                            {1, "back\\slash"},
                                            {1, "it's"},
                                            {1, ";comment"},
                                            {1, "(allow"},
                                            {1, "#\"raw\""},
                                            {1, "$HOME"},
                                            {1, "a.b+c"}});
}

/// Letters that mean the same in a path and in a pattern.
std::string plain_component() {
  return one_of<std::string>({"a", "b", "src", "Data", ".config", "x-1"});
}

std::string glob_component() {
  return one_of<std::string>({"a", "b", "*", "**", "*.log", "a*", "?", "[ab]", "[!ab]x", "x?y"});
}

class Maker {
 public:
  explicit Maker(const PolicyShape& shape) : shape_(shape) {}

  PolicyModel policy() {
    PolicyModel result;
    result.floor = shape_.floor && chance(30);
    const std::size_t members = up_to(3);
    for (std::size_t i = 0; i < members; ++i) result.list.push_back(list_member());
    const std::size_t count = std::max<std::size_t>(2, up_to(shape_.rules));
    for (std::size_t i = 0; i < count; ++i) {
      // The first two make a policy that says something both ways.
      const bool deny = i == 1 || (i > 1 && chance(45));
      result.rules.push_back(
          rule(deny ? Effect::deny : Effect::allow, (deny ? "d" : "a") + std::to_string(i), i < 2));
      if (i < 2) stand_apart(result.rules.back());
    }
    if (shape_.relax) add_relaxations(result);
    return result;
  }

  RuleModel rule(Effect effect, std::string id, bool plain = false) {
    RuleModel result;
    result.effect = effect;
    result.id = std::move(id);
    if (chance(20))
      result.why = one_of<std::string>({"because", "a \"reason\" \\ (deny) ; #", "\xc3\xa9"});
    if (!plain && shape_.expressions && chance(35)) {
      by_operation(result);
    } else {
      by_verb(result, plain);
    }
    return result;
  }

 private:
  /// Allows reach into the project and denies into the home, so that neither covers the other.
  void stand_apart(RuleModel& rule) {
    const Place place = rule.effect == Effect::allow ? Place::project : Place::home;
    rule.verbs.front().values.emplace_back(PathValue{Form::plain, place, {plain_component()}});
  }

  // --- paths

  PathValue list_member() {
    PathValue path;
    path.place = one_of({Place::root, Place::home, Place::project});
    if (path.place == Place::root) path.parts = {one_of<std::string>({"opt", "srv"})};
    path.parts.push_back(component());
    return path;
  }

  PathValue path(bool patterns, bool everything = true) {
    PathValue result;
    result.form = *rg::weightedElement<Form>({{12, Form::plain},
                                              {3, Form::directory},
                                              {2, Form::subpath},
                                              {3, Form::literal},
                                              {2, Form::prefix},
                                              {patterns ? 3U : 0U, Form::glob},
                                              {patterns ? 2U : 0U, Form::regex},
                                              {patterns ? 3U : 0U, Form::name}});
    return filled(std::move(result), everything);
  }

  PathValue filled(PathValue result, bool everything = true) {
    if (result.form == Form::name) {
      result.parts = {one_of<std::string>({".env", "*.pem", "id_*", "a", "?x", "Key.[ab]"})};
      return result;
    }
    if (result.form == Form::regex) {
      result.parts = {one_of<std::string>({"opt", "Users"}), plain_component()};
      if (chance(50)) result.parts.push_back(plain_component());
      return result;
    }
    result.place = *rg::weightedElement<Place>({{5, Place::root},
                                                {6, Place::home},
                                                {8, Place::project},
                                                {2, Place::tmp},
                                                {2, Place::directory},
                                                {1, Place::agent},
                                                {2, Place::list}});
    if (result.place == Place::root) {
      if (everything && chance(10)) return result;
      result.parts =
          *rg::elementOf(std::vector<std::vector<std::string>>{{"opt"},
                                                               {"srv"},
                                                               {"tmp"},
                                                               {"Users", "dev"},
                                                               {"Users", "dev", "project"},
                                                               {"private", "tmp"}});
    }
    const bool glob = result.form == Form::glob;
    for (std::size_t i = *rg::inRange<std::size_t>(0, 4); i > 0; --i) {
      result.parts.push_back(glob ? glob_component() : component());
    }
    // A whole variable, or the root, is no glob and no prefix of names.
    if ((glob || result.form == Form::prefix) && result.parts.empty()) result.parts = {"a"};
    if (ends_inside_alias(result)) result.parts.push_back("a");
    if (result.form == Form::prefix && result.place == Place::root && is_alias(result.parts)) {
      result.parts.push_back("a");
    }
    if (glob) separate_stars(result.parts);
    return result;
  }

  /// `**` stands once in a row, and between other components.
  static void separate_stars(std::vector<std::string>& parts) {
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (parts[i] == "**" && parts[i - 1] == "**") parts[i] = "b";
    }
  }

  // --- values of verbs

  Value address(bool bind) {
    AddressValue result;
    result.proto = one_of<std::string>({"", "", "udp", "ip", "tcp4"});
    result.host = one_of<std::string>({"*", "localhost"});
    if (chance(80)) {
      result.first = one_of({22, 53, 80, 443, 8080, 65535});
      result.last = result.first;
      if (result.first < 65000 && chance(25)) result.last += *rg::inRange(1, 4);
    }
    (void)bind;
    return result;
  }

  Value socket() {
    PathValue where = path(true, false);
    if (where.form == Form::directory) where.form = Form::plain;
    return SocketValue{std::move(where)};
  }

  Value service() {
    NameValue result;
    result.kind = one_of<std::string>({"", "", "local:", "xpc:"});
    result.name = one_of<std::string>({"com.apple.a", "com.apple.ab", "org.x", "a\"b;(c)"});
    result.star = chance(30);
    return result;
  }

  Value sysctl() {
    NameValue result{"", one_of<std::string>({"hw.ncpu", "hw.", "kern.x", ""}), chance(40)};
    if (result.name.empty() || result.name.back() == '.') result.star = true;
    return result;
  }

  Value value(Verb verb) {
    switch (verb) {
      case Verb::connect:
      case Verb::bind: return chance(70) ? address(verb == Verb::bind) : socket();
      case Verb::mach: return service();
      case Verb::signal:
        return NameValue{"", one_of<std::string>({"self", "children", "others", "any", "pgrp"}),
                         false};
      case Verb::sysctl: return sysctl();
      default: return path(true);
    }
  }

  static bool is_about_paths(Verb verb) {
    return verb == Verb::read || verb == Verb::write || verb == Verb::exec;
  }

  void by_verb(RuleModel& rule, bool files) {
    const auto verb = [&] {
      return *rg::weightedElement<Verb>({{6, Verb::read},
                                         {6, Verb::write},
                                         {2, Verb::exec},
                                         {files ? 0U : 3U, Verb::connect},
                                         {files ? 0U : 1U, Verb::bind},
                                         {files ? 0U : 2U, Verb::mach},
                                         {files ? 0U : 1U, Verb::signal},
                                         {files ? 0U : 1U, Verb::sysctl}});
    };
    const std::size_t verbs = chance(75) ? 1 : 2;
    for (std::size_t i = 0; i < verbs; ++i) {
      VerbEntry entry{verb(), {}};
      const bool known =
          std::any_of(rule.verbs.begin(), rule.verbs.end(),
                      [&](const VerbEntry& other) { return other.verb == entry.verb; });
      if (known) continue;
      const std::size_t count = up_to(3);
      for (std::size_t k = 0; k < count; ++k) entry.values.push_back(value(entry.verb));
      rule.verbs.push_back(std::move(entry));
    }
    const bool paths =
        std::all_of(rule.verbs.begin(), rule.verbs.end(),
                    [](const VerbEntry& entry) { return is_about_paths(entry.verb); });
    if (paths && chance(25)) rule.except.push_back(exception(rule));
  }

  /// Something below a value of the rule, or another place.
  Value exception(const RuleModel& rule) {
    const auto* near = std::get_if<PathValue>(&rule.verbs.front().values.front());
    const bool rooted = near != nullptr && near->form != Form::name && near->form != Form::regex &&
                        near->form != Form::glob && near->form != Form::literal;
    PathValue result = rooted ? *near : path(false, false);
    result.form = one_of({Form::plain, Form::literal});
    // No value is called that, so something of it is always left.
    result.parts.push_back("sample");
    return result;
  }

  // --- rules by operation

  struct Family {
    Subject subject;
    std::vector<Op> ops;
  };

  static const std::vector<Family>& families() {
    static const std::vector<Family> all{
        {Subject::path,
         {Op::file_all, Op::file_read_all, Op::file_read_data, Op::file_read_metadata,
          Op::file_read_xattr, Op::file_write_all, Op::file_write_create, Op::file_write_data,
          Op::file_write_unlink, Op::file_ioctl, Op::file_test_existence, Op::file_link,
          Op::file_clone, Op::file_map_executable, Op::file_mknod, Op::file_search,
          Op::process_exec_all}},
        {Subject::outbound, {Op::network_outbound}},
        {Subject::inbound, {Op::network_inbound, Op::network_bind}},
        {Subject::mach, {Op::mach_lookup, Op::mach_register}},
        {Subject::signal, {Op::signal}},
        {Subject::process, {Op::process_info_all, Op::process_info_pidinfo, Op::mach_task_name}},
        {Subject::sysctl, {Op::sysctl_all, Op::sysctl_read, Op::sysctl_write}},
        {Subject::ipc, {Op::ipc_posix_all, Op::ipc_posix_shm_all, Op::ipc_posix_sem_open}},
        {Subject::preference, {Op::user_preference_all, Op::user_preference_read}},
        {Subject::none, {Op::process_fork, Op::pseudo_tty, Op::ipc_all, Op::lsopen}},
    };
    return all;
  }

  void by_operation(RuleModel& rule) {
    const std::size_t which = *rg::weightedElement<std::size_t>(
        {{8, 0}, {3, 1}, {1, 2}, {2, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}});
    const Family& family = families()[which];
    const std::size_t count = up_to(std::min<std::size_t>(3, family.ops.size()));
    for (std::size_t i = 0; i < count; ++i) {
      const Op op = *rg::elementOf(family.ops);
      if (std::find(rule.ops.begin(), rule.ops.end(), op) == rule.ops.end()) rule.ops.push_back(op);
    }
    rule.where = satisfiable(family.subject, rule.ops, 3, true);
  }

  static bool fits(const std::vector<Op>& ops, Filter filter) {
    return std::all_of(ops.begin(), ops.end(), [&](Op op) { return accepts(op, filter); });
  }

  Expression satisfiable(Subject subject, const std::vector<Op>& ops, int depth, bool addresses) {
    for (;;) {
      Expression result = expression(subject, ops, depth, addresses);
      if (is_satisfiable(result)) return result;
    }
  }

  Expression expression(Subject subject, const std::vector<Op>& ops, int depth, bool addresses) {
    Expression result;
    if (subject == Subject::none || chance(6)) return result;
    const int roll = depth == 0 ? 0 : *rg::inRange(0, 100);
    if (roll < 50) return test(subject, ops, addresses);
    if (roll < 65) {
      result.kind = Expression::Kind::negation;
      result.kids.push_back(negatable(subject, ops));
      return result;
    }
    result.kind = roll < 85 ? Expression::Kind::all : Expression::Kind::any;
    const std::size_t count = 1 + up_to(2);
    for (std::size_t i = 0; i < count; ++i) {
      Expression kid = expression(subject, ops, depth - 1, addresses);
      // `true` in a union makes it everything; leaves are more telling.
      if (kid.kind == Expression::Kind::truth) kid = test(subject, ops, addresses);
      result.kids.push_back(std::move(kid));
    }
    return result;
  }

  /// What may stand below `not`: one test, of a variant that a guard exists for.
  Expression negatable(Subject subject, const std::vector<Op>& ops) {
    for (;;) {
      Expression result = test(subject, ops, false);
      const auto variant = variant_of(result.filter, subject);
      if (variant != seatbelt::Variant::control && variant != seatbelt::Variant::ip) return result;
    }
  }

  Expression test(Subject subject, const std::vector<Op>& ops, bool addresses) {
    static constexpr std::array kFilters{Filter::literal,
                                         Filter::subpath,
                                         Filter::subpath,
                                         Filter::subpath,
                                         Filter::path_ancestors,
                                         Filter::vnode_type,
                                         Filter::xattr,
                                         Filter::global_name,
                                         Filter::global_name_prefix,
                                         Filter::local_name,
                                         Filter::xpc_service_name,
                                         Filter::remote,
                                         Filter::local,
                                         Filter::control_name,
                                         Filter::target,
                                         Filter::signal_number,
                                         Filter::sysctl_name,
                                         Filter::sysctl_name_prefix,
                                         Filter::ipc_posix_name,
                                         Filter::ipc_posix_name_prefix,
                                         Filter::preference_domain};
    std::vector<Filter> fitting;
    for (const Filter filter : kFilters) {
      const bool address = info(filter).value == FilterValue::address;
      if (!fits(ops, filter) || (address && !addresses)) continue;
      // The own end of an outbound connection, and the peer of an inbound one, have no field.
      if (filter == Filter::local && subject != Subject::inbound) continue;
      if (filter == Filter::remote && subject == Subject::inbound) continue;
      fitting.push_back(filter);
    }
    Expression result;
    result.kind = Expression::Kind::test;
    result.filter = *rg::elementOf(fitting);
    const std::size_t count = up_to(2);
    if (info(result.filter).value == FilterValue::path) {
      PathValue shape;
      shape.form = result.filter == Filter::path_ancestors ? Form::ancestors
                   : result.filter == Filter::literal
                       ? Form::literal
                       : one_of({Form::plain, Form::prefix, Form::glob, Form::regex, Form::name});
      for (std::size_t i = 0; i < count; ++i) result.values.push_back(filled(shape, false));
      return result;
    }
    if (info(result.filter).value == FilterValue::address) {
      result.values = {address_test()};
      return result;
    }
    for (std::size_t i = 0; i < count; ++i) result.values.push_back(operand(result.filter));
    return result;
  }

  Value address_test() {
    AddressValue result;
    switch (*rg::inRange(0, 3)) {
      case 0: result.proto = one_of<std::string>({"tcp", "udp", "ip4", "tcp6"}); break;
      case 1: result.host = one_of<std::string>({"*", "localhost"}); break;
      default:
        result.first = one_of({22, 443, 8080});
        result.last = result.first + *rg::inRange(0, 3);
    }
    return result;
  }

  Value operand(Filter filter) {
    const auto symbol = [](std::string text) { return NameValue{"", std::move(text), false}; };
    switch (filter) {
      case Filter::vnode_type:
        return symbol(one_of<std::string>({"directory", "regular-file", "tty"}));
      case Filter::target: return symbol(one_of<std::string>({"self", "children", "others"}));
      case Filter::signal_number: return one_of<std::int64_t>({9, 15});
      case Filter::xattr: return symbol(one_of<std::string>({"com.apple.quarantine", "user.x"}));
      default: return symbol(one_of<std::string>({"a.b", "a.bc", "com.apple.a", "x\"y\\z"}));
    }
  }

  // --- relaxations

  void add_relaxations(PolicyModel& policy) {
    const std::size_t count = policy.rules.size();
    for (std::size_t i = 0; i < count; ++i) {
      const RuleModel deny = policy.rules[i];
      if (deny.effect != Effect::deny || !chance(35)) continue;
      RuleModel relax;
      relax.effect = Effect::relax;
      relax.id = deny.id;
      if (!deny.ops.empty()) {
        const Subject subject = info(deny.ops.front()).subject;
        if (subject == Subject::none) continue;
        relax.ops = {*rg::elementOf(deny.ops)};
        // A class that requests themselves name cannot be denied without what is below it.
        for (const Op op : deny.ops) {
          if (is_concrete(op) && is_within(relax.ops.front(), op)) relax.ops = {op};
        }
        relax.where = satisfiable(subject, relax.ops, 2, false);
      } else {
        const VerbEntry& entry = *rg::elementOf(deny.verbs);
        relax.verbs = {{entry.verb, {lifted(entry)}}};
      }
      policy.rules.push_back(std::move(relax));
    }
  }

  /// Below a value of the deny, where paths are; addresses of a deny cannot be lifted one by one.
  Value lifted(const VerbEntry& entry) {
    const Value& denied = entry.values.front();
    if (entry.verb == Verb::connect || entry.verb == Verb::bind) return socket();
    const auto* path = std::get_if<PathValue>(&denied);
    if (path == nullptr) return value(entry.verb);
    PathValue result = *path;
    if (result.form == Form::glob || result.form == Form::regex || result.form == Form::name)
      return result;
    result.form = one_of({Form::plain, Form::literal});
    if (chance(70)) result.parts.push_back(component());
    return result;
  }

  const PolicyShape& shape_;
};

/// RapidCheck begins with small numbers; a policy's choices are not about size.
template <class T>
rc::Gen<T> whole(rc::Gen<T> made) {
  return rg::resize(rc::kNominalSize, std::move(made));
}

}  // namespace

namespace gen {

rc::Gen<PolicyModel> policy(PolicyShape shape) {
  const auto made = rg::noShrink(whole(rg::exec([shape] { return Maker{shape}.policy(); })));
  return rg::shrink(
      made, [](const PolicyModel& value) { return rc::seq::fromContainer(simpler(value)); });
}

rc::Gen<RuleModel> rule(RuleModel::Effect effect, std::string id, PolicyShape shape) {
  return rg::noShrink(whole(rg::exec([=] { return Maker{shape}.rule(effect, id); })));
}

rc::Gen<std::string> physical_path() {
  return rg::element<std::string>("/Users/dev", "/Users/dev/data", "/Users/dev/project/a",
                                  "/Users/dev/a", "/opt/data", "/opt", "/srv/a/b", "/private/tmp/x",
                                  "/Users/dev/.config", "/Users/dev/src");
}

}  // namespace gen

void showValue(const PolicyModel& policy, std::ostream& out) { out << to_source(policy); }

void showValue(const RuleModel& rule, std::ostream& out) {
  PolicyModel policy;
  policy.rules = {rule};
  out << to_source(policy);
}

}  // namespace nd7::test
