#include "compiler/linux/addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler/linux/meaning.hpp"
#include "compiler/linux/model.hpp"

namespace nd7::linux_plan {
namespace {

using ir::CondId;
using ir::CondKind;
using laws::Term;
using seatbelt::Filter;
using seatbelt::Op;

constexpr std::string_view kLocalhost = "localhost";
constexpr std::string_view kElsewhere = "192.0.2.1";
constexpr int kTcp = 1;  ///< of ir::Proto, by threes: ip tcp udp
constexpr int kUdp = 2;

/// An address that is asked about. The host is this machine, one that no rule names, or a name.
struct Address {
  bool listen = false;
  int protocol = kTcp;  ///< 0: neither TCP nor UDP
  int family = 4;
  std::string_view host;
  std::uint16_t port = 0;
};

std::string shown(const Address& address) {
  constexpr std::array<std::string_view, 3> kProtocols{"ip/", "", "udp/"};
  return fmt::format("{} {}{}:{}", address.listen ? "bind" : "connect",
                     kProtocols[static_cast<std::size_t>(address.protocol)], address.host,
                     address.port);
}

/// What the name of a host in a condition stands for.
enum class Names : std::uint8_t { themselves, every_host, no_host };

bool is_name(std::string_view host) { return host != "*" && host != kLocalhost; }

class Comparison {
 public:
  Comparison(const ir::Policy& policy, const std::vector<Term>& terms, const Plan& plan,
             const std::function<void(const AddressDifference&)>& report)
      : conditions_(policy.conditions), terms_(terms), plan_(plan), report_(report) {}

  std::string run() {
    for (const bool listen : {false, true}) {
      collect(listen);
      for (const auto& [port, hosts] : hosts_) {
        for (const int protocol : {kTcp, kUdp, 0}) {
          for (const int family : {4, 6}) {
            if (!all_hosts({listen, protocol, family, {}, port}, hosts)) return bug_;
          }
        }
      }
    }
    return {};
  }

 private:
  using Hosts = std::set<std::string_view>;

  /// Whether `term` is about the side of connections at hand.
  static bool is_about(const Term& term, bool listen) {
    return listen ? names(term, Op::network_bind) || names(term, Op::network_inbound)
                  : names(term, Op::network_outbound);
  }

  /// The ports that terms name and one that none does, with the hosts that are told apart there,
  /// and the terms that can matter.
  void collect(bool listen) {
    hosts_.clear();
    by_port_.clear();
    everywhere_.clear();
    Hosts any_port{kLocalhost, kElsewhere};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const Term& term = terms_[i];
      if (!is_about(term, listen) || !(opens(term.role) || closes(term.role))) continue;
      bool everywhere = term.cond == ir::kAlways;
      const auto positive = conditions_.positive_atoms_of(term.cond).size();
      const auto atoms = conditions_.atoms_of(term.cond);
      everywhere = everywhere || positive != atoms.size();
      for (const ir::AtomId id : atoms) {
        const ir::Atom& atom = conditions_.get(id);
        if (atom.filter != (listen ? Filter::local : Filter::remote)) continue;
        if (atom.address.port < 0) {
          everywhere = true;
          if (is_name(atom.address.host)) any_port.insert(atom.address.host);
          continue;
        }
        const auto port = static_cast<std::uint16_t>(atom.address.port);
        Hosts& hosts = hosts_[port];
        if (is_name(atom.address.host)) hosts.insert(atom.address.host);
        auto& about = by_port_[port];
        if (about.empty() || about.back() != i) about.push_back(i);
      }
      if (everywhere) everywhere_.push_back(i);
    }
    for (const std::vector<Port>* const ports : {&plan_.connect, &plan_.bind}) {
      for (const Port& port : *ports) {
        hosts_.try_emplace(port.first);
        hosts_.try_emplace(port.last);
        if (port.first > 0) hosts_.try_emplace(static_cast<std::uint16_t>(port.first - 1));
        if (port.last < 65535) hosts_.try_emplace(static_cast<std::uint16_t>(port.last + 1));
      }
    }
    std::uint16_t fresh = 1024;
    while (hosts_.count(fresh) != 0 && fresh != 1023) ++fresh;
    hosts_.try_emplace(fresh);
    for (auto& [port, hosts] : hosts_) hosts.insert(any_port.begin(), any_port.end());
  }

  bool all_hosts(Address address, const Hosts& hosts) {
    for (const std::string_view host : hosts) {
      address.host = host;
      for (const Op op : operations(address.listen)) {
        if (!compare(address, op)) return false;
      }
    }
    return true;
  }

  /// What one condition says of an address. Depth is bounded by the parser.
  bool holds(CondId cond, const Address& address, Names as) const {
    const ir::CondNode& node = conditions_.node(cond);
    const auto kid_holds = [&](CondId kid) { return holds(kid, address, as); };
    switch (node.kind) {
      case CondKind::never: return false;
      case CondKind::always: return true;
      case CondKind::atom: return holds(conditions_.get(node.atom), address, as);
      case CondKind::all: return std::all_of(node.kids.begin(), node.kids.end(), kid_holds);
      case CondKind::any: return std::any_of(node.kids.begin(), node.kids.end(), kid_holds);
      case CondKind::negation: return !kid_holds(node.kids.front());
    }
    return false;
  }

  static bool holds(const ir::Atom& atom, const Address& address, Names as) {
    if (atom.filter != (address.listen ? Filter::local : Filter::remote)) return false;
    const int proto = static_cast<int>(atom.address.proto);  // ip ip4 ip6 tcp tcp4 …
    if (proto / 3 != 0 && proto / 3 != address.protocol) return false;
    if (proto % 3 == 1 && address.family != 4) return false;
    if (proto % 3 == 2 && address.family != 6) return false;
    if (atom.address.port >= 0 && atom.address.port != address.port) return false;
    const std::string_view host = atom.address.host;
    if (is_name(host) && as != Names::themselves) return as == Names::every_host;
    return host == "*" || host == address.host;
  }

  bool opened_by(const Term& term, const Address& address, Op op, Names as) const {
    return opens(term.role) && names(term, op) && holds(term.cond, address, as);
  }
  bool closed_by(const Term& term, const Address& address, Op op, Names as) const {
    return closes(term.role) && names(term, op) && holds(term.cond, address, as);
  }

  template <class Function>
  std::optional<std::size_t> first(std::uint16_t port, Function&& matches) const {
    static const std::vector<std::size_t> kNone;
    const auto at = by_port_.find(port);
    for (const auto* const list : {at == by_port_.end() ? &kNone : &at->second, &everywhere_}) {
      for (const std::size_t i : *list) {
        if (matches(terms_[i])) return i;
      }
    }
    return std::nullopt;
  }

  std::optional<std::size_t> opener(const Address& address, Op op, Names as) const {
    return first(address.port, [&](const Term& term) { return opened_by(term, address, op, as); });
  }
  std::optional<std::size_t> closer(const Address& address, Op op, Names as) const {
    return first(address.port, [&](const Term& term) { return closed_by(term, address, op, as); });
  }

  /// False for a bug.
  bool compare(const Address& address, Op op) {
    const auto open = opener(address, op, Names::themselves);
    const auto closed = closer(address, op, Names::themselves);
    const bool meant = open && !closed;
    const bool said = decided(address);
    if (meant == said) return true;
    if (said && closed) {
      // A deny is kept as far as it names no host.
      if (const auto plain = closer(address, op, Names::no_host)) {
        return wrong(address, terms_[*plain].label, "deny");
      }
      report_({*closed, "linux/deny-host", true, shown(address)});
      return true;
    }
    if (said) {
      const auto named = opener(address, op, Names::every_host);
      if (!named) return wrong(address, "no rule", "deny");
      report_({*named, "linux/host-by-port", true, shown(address)});
      return true;
    }
    const std::string_view loss = narrowing(address, *open);
    if (loss.empty()) return wrong(address, terms_[*open].label, "allow");
    report_({*open, loss, false, shown(address)});
    return true;
  }

  bool decided(const Address& address) const {
    if (address.protocol == 0) return false;
    const Protocol protocol = address.protocol == kTcp ? Protocol::tcp : Protocol::udp;
    const bool localhost = address.host == kLocalhost;
    return address.listen ? decide_bind(plan_, protocol, localhost, address.port).allowed
                          : decide_connect(plan_, protocol, localhost, address.port).allowed;
  }

  /// Why what is allowed is not: empty if nothing explains it.
  std::string_view narrowing(const Address& address, std::size_t opener) const {
    if (address.protocol == 0) return "linux/addresses";
    if (address.listen && address.host != kLocalhost) return "linux/listen";
    const Term& term = terms_[opener];
    for (const Op op : operations(address.listen)) {
      // Listening is two operations, and both have to be allowed by one rule and denied by none.
      if (!names(term, op) || closer(address, op, Names::themselves)) return "linux/part-of-access";
    }
    // A port that is open is open to both families; one that is open to other machines, or to one
    // that has a name, is open everywhere.
    for (const int family : {4, 6}) {
      for (const std::string_view host : {address.host, kLocalhost, kElsewhere}) {
        if (address.host == kLocalhost && host != kLocalhost) continue;
        Address other = address;
        other.family = family;
        other.host = host;
        const Op op = operations(address.listen).front();
        if (!opened_by(term, other, op, Names::every_host)) return "linux/addresses";
        if (closer(other, op, Names::themselves)) return "linux/addresses";
      }
    }
    return {};
  }

  static const std::vector<Op>& operations(bool listen) {
    static const std::vector<Op> connecting{Op::network_outbound};
    static const std::vector<Op> listening{Op::network_inbound, Op::network_bind};
    return listen ? listening : connecting;
  }

  bool wrong(const Address& address, std::string_view by, std::string_view meant) {
    bug_ = fmt::format("`{}` is meant {} (by {}), and the plan says otherwise", shown(address),
                       meant, by);
    return false;
  }

  const ir::Conditions& conditions_;
  const std::vector<Term>& terms_;
  const Plan& plan_;
  const std::function<void(const AddressDifference&)>& report_;
  std::map<std::uint16_t, Hosts> hosts_;
  std::map<std::uint16_t, std::vector<std::size_t>> by_port_;
  std::vector<std::size_t> everywhere_;
  std::string bug_;
};

}  // namespace

std::string compare_addresses(const ir::Policy& policy, const std::vector<Term>& terms,
                              const Plan& plan,
                              const std::function<void(const AddressDifference&)>& report) {
  return Comparison{policy, terms, plan, report}.run();
}

}  // namespace nd7::linux_plan
