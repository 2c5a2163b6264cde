#include "compiler/linux/requests.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "compiler/linux/meaning.hpp"
#include "compiler/linux/model_text.hpp"

namespace nd7::linux_plan {
namespace {

using seatbelt::Op;
using namespace seatbelt::read;

bool has(const std::vector<Op>& ops, Op op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

std::optional<Decision> about_path(const Plan& plan, Op op, const std::string& path) {
  if (has(reading(), op) || op == Op::file_ioctl) return decide_path(plan, Access::read, path);
  if (has(writing(), op)) return decide_path(plan, Access::write, path);
  if (has(running(), op)) return decide_path(plan, Access::exec, path);
  return std::nullopt;
}

std::optional<Decision> about_address(const Plan& plan, Op op, const IpSubject& address) {
  if (address.protocol == Address::Protocol::ip) return Decision{};
  const Protocol protocol =
      address.protocol == Address::Protocol::udp ? Protocol::udp : Protocol::tcp;
  const bool localhost = address.address.kind() == IpAddress::Kind::loopback;
  if (op == Op::network_outbound) return decide_connect(plan, protocol, localhost, address.port);
  return decide_bind(plan, protocol, localhost, address.port);
}

}  // namespace

std::optional<Decision> decide(const Plan& plan, const Request& request) {
  const Op op = request.op;
  const Decision always{true, false, {}};
  if (const auto* path = std::get_if<PathSubject>(&request.subject)) {
    return about_path(plan, op, path->path);
  }
  if (const auto* address = std::get_if<IpSubject>(&request.subject)) {
    return about_address(plan, op, *address);
  }
  if (const auto* socket = std::get_if<UnixSubject>(&request.subject)) {
    return op == Op::network_outbound ? decide_socket(plan, socket->path) : always;
  }
  if (op == Op::signal) {
    const auto* const target = std::get_if<NameSubject>(&request.subject);
    if (target == nullptr) return std::nullopt;
    const bool outside = target->name == "others" || target->name == "initproc";
    return outside ? Decision{} : always;
  }
  if (has(always_allowed(), op)) return always;
  return std::nullopt;
}

}  // namespace nd7::linux_plan
