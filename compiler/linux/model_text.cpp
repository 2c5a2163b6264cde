#include "compiler/linux/model_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "compiler/seatbelt/lower/encode.hpp"
#include "compiler/seatbelt/read/profile.hpp"

namespace nd7::linux_plan {
namespace {

using seatbelt::Op;
using Texts = std::vector<std::string>;

std::string joined(std::string_view head, const Texts& filters) {
  std::string out = "(" + std::string{head};
  for (const std::string& filter : filters) out += "\n  " + filter;
  return out + ")";
}

/// Never an empty `require-any`, which the language lacks.
std::string any_of(const Texts& filters) {
  return filters.size() == 1 ? filters.front() : joined("require-any", filters);
}

std::string subpath(std::string_view path) {
  return "(subpath " + seatbelt::encode_string(path) + ")";
}

std::string opening(const Tree& tree) {
  if (!tree.file) return subpath(tree.path);
  return "(literal " + seatbelt::encode_string(tree.path) + ")";
}

void openings(const std::vector<Tree>& trees, Texts& into) {
  for (const Tree& tree : trees) into.push_back(opening(tree));
}

void closings(const std::vector<Carve>& carves, Texts& into) {
  for (const Carve& carve : carves) {
    std::string closed = subpath(carve.tree.path);
    if (!carve.except.empty()) {
      Texts except;
      openings(carve.except, except);
      closed = fmt::format("(require-all {} (require-not {}))", closed, any_of(except));
    }
    into.push_back(std::move(closed));
  }
}

/// Private places, but for what the plan brings in from the host.
std::string private_places(const Plan& plan) {
  Texts brought;
  for (const auto* const trees : {&plan.read, &plan.write, &plan.exec}) {
    for (const Tree& tree : *trees) {
      if (tree.path.rfind("/tmp/", 0) == 0) brought.push_back(opening(tree));
    }
  }
  std::string shared = subpath("/tmp");
  if (!brought.empty()) {
    shared = fmt::format("(require-all {} (require-not {}))", shared, any_of(brought));
  }
  return any_of({shared, subpath("/dev/shm"), subpath("/run/user")});
}

void allow(std::string& out, std::string_view operations, const Texts& open, const Texts& closed) {
  if (open.empty()) return;
  std::string filter = any_of(open);
  if (!closed.empty()) {
    filter = fmt::format("(require-all\n  {}\n  (require-not {}))", filter, any_of(closed));
  }
  out += fmt::format("(allow {}\n  {})\n", operations, filter);
}

/// A filter that holds the ports of one protocol and kind of host: listed, or as all but some.
void ports_of(const std::vector<Port>& ports, Protocol protocol, bool localhost,
              std::string_view filter, Texts& into) {
  std::vector<bool> held(65536, false);
  for (const Port& port : ports) {
    if (port.protocol != protocol || port.localhost != localhost) continue;
    for (std::uint32_t i = port.first; i <= port.last; ++i) held[i] = true;
  }
  const auto count = static_cast<std::size_t>(std::count(held.begin(), held.end(), true));
  if (count == 0) return;
  const std::string_view host = localhost ? "localhost" : "*";
  const std::string_view name = protocol == Protocol::tcp ? "tcp" : "udp";
  const auto address = [&](const std::string& port) {
    return fmt::format("({} {} \"{}:{}\")", filter, name, host, port);
  };
  const bool most = count > held.size() / 2;
  Texts listed;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] != most) listed.push_back(address(std::to_string(i)));
  }
  if (!most) {
    into.insert(into.end(), listed.begin(), listed.end());
  } else if (listed.empty()) {
    into.push_back(address("*"));
  } else {
    into.push_back(fmt::format("(require-all {} (require-not {}))", address("*"), any_of(listed)));
  }
}

void all_ports(const std::vector<Port>& ports, std::string_view filter, Texts& into) {
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp}) {
    for (const bool localhost : {false, true}) ports_of(ports, protocol, localhost, filter, into);
  }
}

/// Closes what Seatbelt allows by itself, so that the default is to deny.
std::string without_builtins() {
  std::string out = "(deny";
  for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    if (!seatbelt::parent(op) && builtin_answer(op) == seatbelt::Builtin::allow) {
      out += " " + std::string{seatbelt::name(op)};
    }
  }
  return out + ")\n";
}

}  // namespace

const std::vector<Op>& always_allowed() {
  static const std::vector<Op> ops = [] {
    std::vector<Op> result{Op::process_fork, Op::dynamic_code_generation, Op::pseudo_tty};
    for (const Op op : seatbelt::family(Op::process_info_all)) result.push_back(op);
    return result;
  }();
  return ops;
}

std::string model_text(const Plan& plan) {
  std::string out = "(version 1)\n(deny default)\n" + without_builtins();
  const std::string own = private_places(plan);
  Texts readable;
  openings(plan.read, readable);
  openings(plan.write, readable);
  Texts closed{own};
  closings(plan.closed, closed);
  allow(out, "file-read* file-test-existence file-map-executable file-ioctl", readable, closed);
  Texts writable;
  openings(plan.write, writable);
  Texts unwritten = closed;
  closings(plan.readonly, unwritten);
  allow(out, "file-write* file-link", writable, unwritten);
  Texts executable;
  openings(plan.exec, executable);
  Texts unrun = closed;
  closings(plan.noexec, unrun);
  allow(out, "process-exec*", executable, unrun);
  Texts peers;
  all_ports(plan.connect, "remote", peers);
  allow(out, "network-outbound", peers, {});
  Texts sockets;
  openings(plan.sockets, sockets);
  Texts unconnected;
  closings(plan.no_sockets, unconnected);
  if (!sockets.empty()) sockets = {"(require-all (remote unix-socket) " + any_of(sockets) + ")"};
  allow(out, "network-outbound", sockets, unconnected);
  Texts own_ports;
  all_ports(plan.bind, "local", own_ports);
  allow(out, "network-inbound network-bind", own_ports, {});
  // A session's own sockets are files, and a matter of writing.
  out += "(allow network-inbound network-bind (local unix-socket))\n";
  out += "(allow signal (target self) (target pgrp) (target children) (target same-sandbox))\n";
  out += "(allow";
  for (const Op op : always_allowed()) out += " " + std::string{seatbelt::name(op)};
  return out + ")\n";
}

std::optional<answer::Side> side_of_text(const std::string& text, std::string& bug) {
  SourceMap sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("model", {}, text);
  auto base = seatbelt::read::read_profile(sources, {&file, 1}, {}, diagnostics);
  if (!base) {
    bug = "the model cannot be read back";
    for (const Diagnostic& d : diagnostics.all()) bug += ": " + d.message;
    return std::nullopt;
  }
  return answer::Side{std::move(*base)};
}

std::optional<answer::Side> model_side(const Plan& plan, std::string& bug) {
  return side_of_text(model_text(plan), bug);
}

}  // namespace nd7::linux_plan
