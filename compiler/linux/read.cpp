#include "compiler/linux/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nd7::linux_plan {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 6;  ///< object, list, carve, list, tree, and one for good measure

/// Ends the reading; never leaves this file.
struct Refusal {
  std::string reason;
};

[[noreturn]] void refuse(std::string reason) { throw Refusal{std::move(reason)}; }

/// Refuses while parsing what a parsed value does not show any more: repeated keys, and depth
/// before it costs anything.
class Watch {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth > kMaxDepth) refuse("nested too deeply");
    switch (event) {
      case Event::object_start: keys_.emplace_back(); break;
      case Event::object_end: keys_.pop_back(); break;
      case Event::key: {
        const auto& key = parsed.get_ref<const std::string&>();
        if (!keys_.back().insert(key).second) refuse("the key `" + shown(key) + "` stands twice");
        break;
      }
      default: break;
    }
    return true;
  }

  /// A key as messages show it.
  static std::string shown(std::string_view key) {
    std::string result;
    for (const char c : key.substr(0, 40)) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
      result.push_back(plain ? c : '?');
    }
    return result;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

/// A place in the text, for messages: "closed[3].except[0].path".
using Place = std::string;

class Reader {
 public:
  Plan run(const Json& json) {
    object(json, "the plan",
           {"nd7-plan", "name", "profile", "parameters", "read", "write", "exec", "closed",
            "readonly", "noexec", "connect", "bind", "sockets", "no-sockets", "directories"});
    if (integer(json, "nd7-plan", "", 1'000'000) != kFormat) {
      refuse("`nd7-plan` is not 1, the one version that is known");
    }
    list(json, "parameters", 250,
         [&](const Json& item, const Place& place) { plan_.params.push_back(param(item, place)); });
    plan_.name = text(string(json, "name", ""), "name", false);
    const std::string& profile = string(json, "profile", "");
    if (profile != "floor" && profile != "command")
      refuse("`profile` is neither floor nor command");
    plan_.profile = profile == "floor" ? laws::Profile::floor : laws::Profile::command;
    trees(json, "read", plan_.read);
    trees(json, "write", plan_.write);
    trees(json, "exec", plan_.exec);
    carves(json, "closed", plan_.closed);
    carves(json, "readonly", plan_.readonly);
    carves(json, "noexec", plan_.noexec);
    ports(json, "connect", plan_.connect);
    ports(json, "bind", plan_.bind);
    for (const Port& port : plan_.bind) {
      if (!port.localhost) refuse("an entry of `bind` whose host is not localhost");
    }
    trees(json, "sockets", plan_.sockets);
    carves(json, "no-sockets", plan_.no_sockets);
    list(json, "directories", kMaxEntries, [&](const Json& item, const Place& place) {
      if (!item.is_string()) refuse(place + " is not a string");
      plan_.directories.push_back(path(item.get_ref<const std::string&>(), place));
    });
    return std::move(plan_);
  }

 private:
  static void object(const Json& json, const Place& place,
                     std::initializer_list<std::string_view> keys) {
    if (!json.is_object()) refuse(place + " is not an object");
    for (const auto& [key, value] : json.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        refuse(place + " has an unknown key, `" + Watch::shown(key) + "`");
      }
    }
    for (const std::string_view key : keys) {
      if (json.find(std::string{key}) == json.end()) {
        refuse(place + " has no `" + std::string{key} + "`");
      }
    }
  }

  static Place inside(const Place& place, std::string_view key) {
    return place.empty() ? std::string{key} : place + "." + std::string{key};
  }

  static const Json& member(const Json& json, std::string_view key) {
    return *json.find(std::string{key});
  }

  static const std::string& string(const Json& json, std::string_view key, const Place& place) {
    const Json& value = member(json, key);
    if (!value.is_string()) refuse(inside(place, key) + " is not a string");
    return value.get_ref<const std::string&>();
  }

  static bool boolean(const Json& json, std::string_view key, const Place& place) {
    const Json& value = member(json, key);
    if (!value.is_boolean()) refuse(inside(place, key) + " is not true or false");
    return value.get<bool>();
  }

  static std::uint64_t integer(const Json& json, std::string_view key, const Place& place,
                               std::uint64_t most) {
    const Json& value = member(json, key);
    if (!value.is_number_unsigned()) refuse(inside(place, key) + " is not a whole number");
    const auto number = value.get<std::uint64_t>();
    if (number > most) refuse(inside(place, key) + " is too large");
    return number;
  }

  template <class Function>
  void list(const Json& json, std::string_view key, std::size_t most, Function&& take) {
    const Json& value = member(json, key);
    if (!value.is_array()) refuse(std::string{key} + " is not a list");
    entries_ += value.size();
    if (value.size() > most || entries_ > kMaxEntries) refuse("too many entries");
    for (std::size_t i = 0; i < value.size(); ++i) {
      take(value[i], std::string{key} + "[" + std::to_string(i) + "]");
    }
  }

  Param param(const Json& json, const Place& place) const {
    object(json, place, {"name", "optional"});
    const std::string& key = string(json, "name", place);
    const bool good =
        !key.empty() && key.size() <= 300 && std::all_of(key.begin(), key.end(), [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '_' || c == '-' || c == '.';
        });
    if (!good) refuse(place + ".name is not the name of a parameter");
    for (const Param& other : plan_.params) {
      if (other.key == key) refuse(place + ".name stands twice");
    }
    return {key, boolean(json, "optional", place)};
  }

  void trees(const Json& json, std::string_view key, std::vector<Tree>& into) {
    list(json, key, kMaxEntries, [&](const Json& item, const Place& place) {
      object(item, place, {"path", "file", "rule"});
      into.push_back(tree(item, place));
    });
  }

  void carves(const Json& json, std::string_view key, std::vector<Carve>& into) {
    list(json, key, kMaxEntries, [&](const Json& item, const Place& place) {
      object(item, place, {"path", "file", "rule", "except"});
      Carve carve{tree(item, place), {}};
      const Json& except = member(item, "except");
      if (!except.is_array()) refuse(place + ".except is not a list");
      exceptions_ += except.size();
      if (exceptions_ > kMaxExceptions) refuse("too many exceptions");
      for (std::size_t i = 0; i < except.size(); ++i) {
        const Place where = place + ".except[" + std::to_string(i) + "]";
        object(except[i], where, {"path", "file", "rule"});
        carve.except.push_back(tree(except[i], where));
      }
      into.push_back(std::move(carve));
    });
  }

  Tree tree(const Json& json, const Place& place) const {
    return {path(string(json, "path", place), place + ".path"), boolean(json, "file", place),
            text(string(json, "rule", place), place + ".rule", false)};
  }

  void ports(const Json& json, std::string_view key, std::vector<Port>& into) {
    list(json, key, kMaxEntries, [&](const Json& item, const Place& place) {
      object(item, place, {"protocol", "host", "first", "last", "rule"});
      Port port;
      const std::string& protocol = string(item, "protocol", place);
      if (protocol != "tcp" && protocol != "udp") refuse(place + ".protocol is not tcp or udp");
      port.protocol = protocol == "tcp" ? Protocol::tcp : Protocol::udp;
      const std::string& host = string(item, "host", place);
      if (host != "*" && host != "localhost") refuse(place + ".host is not * or localhost");
      port.localhost = host == "localhost";
      port.first = static_cast<std::uint16_t>(integer(item, "first", place, 65535));
      port.last = static_cast<std::uint16_t>(integer(item, "last", place, 65535));
      if (port.first > port.last) refuse(place + " is a range that ends before it begins");
      port.rule = text(string(item, "rule", place), place + ".rule", false);
      into.push_back(std::move(port));
    });
  }

  static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }

  /// The bytes that a string stands for, parameters as holes.
  std::string text(std::string_view string, const Place& place, bool holes) const {
    std::string out;
    for (std::size_t at = 0; at < string.size(); ++at) {
      if (string[at] == '\0') refuse(place + " holds NUL");
      if (string[at] != '$') {
        out.push_back(string[at]);
        continue;
      }
      const std::string_view rest = string.substr(at + 1);
      if (rest.substr(0, 1) == "$") {
        out.push_back('$');
        at += 1;
      } else if (rest.substr(0, 1) == "x" && rest.size() >= 3) {
        const int high = hex_digit(rest[1]);
        const int low = hex_digit(rest[2]);
        if (high < 8 || low < 0) refuse(place + " has a `$x` that is no byte above 7f");
        out.push_back(static_cast<char>(static_cast<unsigned char>(high * 16 + low)));
        at += 3;
      } else if (rest.substr(0, 1) == "{" && holes) {
        const std::size_t end = rest.find('}');
        if (end == std::string_view::npos) refuse(place + " has a `${` that does not end");
        out += hole(rest.substr(1, end - 1), place);
        at += end + 1;
      } else {
        refuse(place + " has a `$` that begins nothing");
      }
    }
    return out;
  }

  std::string hole(std::string_view key, const Place& place) const {
    for (std::size_t i = 0; i < plan_.params.size(); ++i) {
      if (plan_.params[i].key == key) {
        return {'\0', static_cast<char>(static_cast<unsigned char>(i + 1))};
      }
    }
    refuse(place + " names a parameter that is not listed");
  }

  /// Absolute or below a parameter, and in normal form.
  ir::Text path(std::string_view string, const Place& place) const {
    ir::Text result = text(string, place, true);
    if (result.empty()) refuse(place + " is empty");
    std::string_view rest = result;
    if (rest.front() == '\0') {
      rest.remove_prefix(2);
      if (rest.empty()) return result;
    }
    if (rest.front() != '/') refuse(place + " is not absolute");
    if (rest.find('\0') != std::string_view::npos) {
      refuse(place + " has a parameter that is not at its beginning");
    }
    if (result == "/") return result;
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::string_view name = rest.substr(0, rest.find('/'));
      if (name.empty()) refuse(place + " has an empty component");
      if (name == "." || name == "..") refuse(place + ": `" + std::string{name} + "` in a path");
      rest.remove_prefix(name.size());
    }
    return result;
  }

  Plan plan_;
  std::size_t entries_ = 0;
  std::size_t exceptions_ = 0;
};

}  // namespace

ReadResult read(std::string_view json) {
  if (json.size() > kMaxPlanBytes) return {std::nullopt, "too large"};
  try {
    Watch watch;
    const auto callback = [&](int depth, Json::parse_event_t event, Json& parsed) {
      return watch(depth, event, parsed);
    };
    return {Reader{}.run(Json::parse(json, callback)), {}};
  } catch (const Refusal& refusal) {
    return {std::nullopt, refusal.reason};
  } catch (const Json::parse_error& error) {
    return {std::nullopt, "not JSON, at byte " + std::to_string(error.byte)};
  } catch (const Json::exception&) {
    return {std::nullopt, "not JSON that can be read"};
  }
}

}  // namespace nd7::linux_plan
