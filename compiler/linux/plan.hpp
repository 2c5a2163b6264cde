// The Linux plan: what a set of rules comes to in terms that Linux can keep: trees of paths, ports
// and sockets. What applies it (mounts, Landlock, seccomp) is the runtime's business; what it means
// is said here and nowhere else.
//
// Meaning, for a path p (physical, absolute):
//   readable(p)   = some `read` or `write` tree holds p  ∧  no `closed` carve holds p
//   writable(p)   = some `write` tree holds p            ∧  no `closed` or `readonly` carve holds p
//   executable(p) = some `exec` tree holds p             ∧  no `closed` or `noexec` carve holds p
// Denies win, whatever is deeper. What is not readable cannot be seen in any way: content, names,
// metadata, presence. Nothing that a carve holds can be moved, and it stays what it is when a
// directory above it is moved.
//
// A process inside may connect to a port that some `connect` entry holds, and to a Unix socket that
// some `sockets` tree and no `no_sockets` carve holds. It may listen on a port of this machine that
// some `bind` entry holds.
//
// What lies below /tmp, /dev/shm and /run/user is private: a session has its own, which begin empty
// and in which everything is allowed. A tree whose path lies below /tmp (not /tmp itself) is the
// host's all the same, if something opens it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/text.hpp"
#include "compiler/laws/profile.hpp"

namespace nd7::linux_plan {

/// A path, and everything below it.
struct Tree {
  ir::Text path;
  bool file = false;  ///< only if it is no directory when the plan is applied; else the entry
                      ///< counts as absent where it opens, and as the whole tree where it closes
  std::string rule;   ///< "floor/project", "nd7/seal", "grant /data"
  friend bool operator==(const Tree&, const Tree&) = default;
};

/// A tree that is taken out, but for some trees in it.
struct Carve {
  Tree tree;
  std::vector<Tree> except;
  friend bool operator==(const Carve&, const Carve&) = default;
};

enum class Protocol : std::uint8_t { tcp, udp };

/// Addresses that may be connected to. Names of hosts are not kept: a port is open on every host or
/// on this machine only.
struct Port {
  Protocol protocol = Protocol::tcp;
  bool localhost = false;   ///< this machine (127.0.0.1, ::1); else any host, this one included
  std::uint16_t first = 0;  ///< inclusive
  std::uint16_t last = 0;   ///< inclusive
  std::string rule;
  friend bool operator==(const Port&, const Port&) = default;
};

/// A value that is not known yet: a hole in paths, by its index in Plan::params (ir/text.hpp). It
/// stands for a whole path, or for its beginning.
struct Param {
  std::string key;        ///< "HOME", "team.agent"
  bool optional = false;  ///< without a value, trees whose path holds it are not there
  friend bool operator==(const Param&, const Param&) = default;
};

struct Plan {
  std::string name;  ///< of the rules file
  laws::Profile profile = laws::Profile::floor;
  std::vector<Param> params;  ///< empty in a plan that can be applied
  std::vector<Tree> read;
  std::vector<Tree> write;  ///< reading, too
  std::vector<Tree> exec;
  std::vector<Carve> closed;
  std::vector<Carve> readonly;
  std::vector<Carve> noexec;
  std::vector<Port> connect;
  std::vector<Port> bind;  ///< on this machine's loopback as the host sees it: always `localhost`
  std::vector<Tree> sockets;          ///< Unix sockets outside that may be connected to
  std::vector<Carve> no_sockets;      ///< and what of those may not
  std::vector<ir::Text> directories;  ///< made (0700) at the start if missing
  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace nd7::linux_plan
