#include "compiler/linux/print.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "compiler/linux/read.hpp"
#include "compiler/source/utf8.hpp"

namespace nd7::linux_plan {
namespace {

class Printer {
 public:
  explicit Printer(const Plan& plan) : plan_(plan) {}

  std::string run() {
    out_ =
        fmt::format("{{\n  \"nd7-plan\": {},\n  \"name\": {},\n  \"profile\": \"{}\"", kFormat,
                    text(plan_.name), plan_.profile == laws::Profile::floor ? "floor" : "command");
    list("parameters", plan_.params, [&](const Param& param) {
      return fmt::format("{{\"name\": {}, \"optional\": {}}}", text(param.key), param.optional);
    });
    const auto tree_entry = [&](const Tree& tree) { return "{" + members(tree) + "}"; };
    const auto carve_entry = [&](const Carve& carve) { return entry(carve); };
    const auto port_entry = [&](const Port& port) { return entry(port); };
    list("read", plan_.read, tree_entry);
    list("write", plan_.write, tree_entry);
    list("exec", plan_.exec, tree_entry);
    list("closed", plan_.closed, carve_entry);
    list("readonly", plan_.readonly, carve_entry);
    list("noexec", plan_.noexec, carve_entry);
    list("connect", plan_.connect, port_entry);
    list("bind", plan_.bind, port_entry);
    list("sockets", plan_.sockets, tree_entry);
    list("no-sockets", plan_.no_sockets, carve_entry);
    list("directories", plan_.directories, [&](const ir::Text& path) { return text(path); });
    return out_ + "\n}\n";
  }

 private:
  template <class Items, class Function>
  void list(std::string_view key, const Items& items, Function&& entry_of) {
    out_ += fmt::format(",\n  \"{}\": [", key);
    bool first = true;
    for (const auto& item : items) {
      out_ += first ? "\n    " : ",\n    ";
      out_ += entry_of(item);
      first = false;
    }
    out_ += first ? "]" : "\n  ]";
  }

  std::string members(const Tree& tree) const {
    return fmt::format("\"path\": {}, \"file\": {}, \"rule\": {}", text(tree.path), tree.file,
                       text(tree.rule));
  }

  std::string entry(const Carve& carve) const {
    std::string except;
    for (const Tree& tree : carve.except) {
      except += fmt::format("{}{{{}}}", except.empty() ? "" : ", ", members(tree));
    }
    return fmt::format("{{{}, \"except\": [{}]}}", members(carve.tree), except);
  }

  std::string entry(const Port& port) const {
    return fmt::format(
        "{{\"protocol\": \"{}\", \"host\": \"{}\", \"first\": {}, \"last\": {}, \"rule\": {}}}",
        port.protocol == Protocol::tcp ? "tcp" : "udp", port.localhost ? "localhost" : "*",
        port.first, port.last, text(port.rule));
  }

  /// A JSON string. `$` begins what JSON has no way to say: `${NAME}` a parameter, `$xHH` a byte
  /// that is no UTF-8, `$$` itself.
  std::string text(std::string_view bytes) const {
    std::string out = "\"";
    for (std::size_t at = 0; at < bytes.size();) {
      const Utf8Unit unit = decode_utf8(bytes, at);
      const auto byte = static_cast<unsigned char>(bytes[at]);
      if (byte == 0 && at + 1 < bytes.size()) {
        const std::size_t index = static_cast<unsigned char>(bytes[at + 1]) - std::size_t{1};
        out += "${" + (index < plan_.params.size() ? plan_.params[index].key : "") + "}";
        at += 2;
        continue;
      }
      if (!unit.valid) {
        out += fmt::format("$x{:02x}", byte);
      } else if (byte == '$') {
        out += "$$";
      } else if (byte == '"' || byte == '\\') {
        out += {'\\', bytes[at]};
      } else if (byte < 0x20 || byte == 0x7f) {
        out += fmt::format("\\u{:04x}", byte);
      } else {
        out += bytes.substr(at, unit.length);
      }
      at += unit.length;
    }
    return out + "\"";
  }

  const Plan& plan_;
  std::string out_;
};

}  // namespace

std::string print(const Plan& plan) { return Printer{plan}.run(); }

}  // namespace nd7::linux_plan
