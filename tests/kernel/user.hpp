// The ordinary user that the tests run programs as: this one, or, for root, one made for it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace nd7::test {

struct User {
  uid_t uid = 0;
  gid_t gid = 0;
  std::string home;  ///< exists, is the user's
};

/// nullopt with a reason. `name` is of the user that is made, if one is.
[[nodiscard]] std::optional<User> ordinary_user(std::string& reason, const char* name = "nd7-test");

/// Makes this process the user's, for good. False if it cannot.
[[nodiscard]] bool become(const User& user);

/// Why sessions cannot run here; empty if they can.
[[nodiscard]] std::string why_no_sessions(const User& user);

}  // namespace nd7::test
