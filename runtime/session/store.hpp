// ~/.nd7/sessions: one directory for each running nd7 run, named by its process.
//
//   record.json   the session as data (record.hpp)
//   policy.plan   what its commands run under: the digest of record.json, the shell, the plan; a
//                 line each, the plan the rest
//   lock          held while the two are changed
//
// Directories are 0700, files 0600. Record and policy are one transaction: the record is written
// first, each by a temporary file, fsync and rename. A policy whose digest is not the record's is
// of a change that did not come to its end: whoever changes next renders it again.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/session/record.hpp"

namespace nd7::runtime {

/// A policy file's three parts.
struct PolicyFile {
  std::string digest;  ///< of record.json, SHA-256 in hexadecimal
  std::string shell;
  std::string plan;
};

class Store {
 public:
  /// Of the user whose physical home directory this is.
  explicit Store(const std::string& home);

  /// Makes ~/.nd7 and ~/.nd7/sessions. Refuses what is a symbolic link, is another user's, or can
  /// be written by others.
  Outcome prepare() const;

  /// Removes the directories of processes that are gone, and what they had of their own.
  void sweep() const;

  [[nodiscard]] std::string directory_of(pid_t process) const;
  Outcome create(pid_t process) const;
  void remove(pid_t process) const;

  /// Sessions that run, in ascending order.
  [[nodiscard]] std::vector<pid_t> running() const;

  /// Waits for the session's lock; it is held as long as the descriptor is open.
  Outcome lock(pid_t process, Descriptor& held) const;

  [[nodiscard]] std::variant<Record, Failure> read_record(pid_t process) const;
  /// The session's lock has to be held, or the session not to be known yet.
  Outcome write(const Record& record, const std::string& plan) const;
  [[nodiscard]] std::variant<PolicyFile, Failure> read_policy(pid_t process) const;

  /// When a process started, in clock ticks since boot; nothing if there is none.
  [[nodiscard]] static std::optional<std::uint64_t> start_of(pid_t process);

 private:
  [[nodiscard]] std::vector<pid_t> all() const;
  [[nodiscard]] bool is_gone(pid_t process) const;
  std::string nd7_;       ///< ~/.nd7
  std::string sessions_;  ///< ~/.nd7/sessions
};

}  // namespace nd7::runtime
