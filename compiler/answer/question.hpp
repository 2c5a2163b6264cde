// Requests as people and tables write them.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "compiler/seatbelt/read/request.hpp"

namespace nd7::answer {

struct QuestionError {
  std::string message;
};

/// "path P", "unix P", "tcp HOST:PORT", "udp HOST:PORT", "ip HOST:PORT", "local tcp HOST:PORT",
/// "control N", "global N", "local N", "xpc N", "name N", "number N", "-"; after " ; " more words:
/// "extension A B", "vnode T", "xattr N". Addresses are numbers; `localhost` is 127.0.0.1 and `*` a
/// host that no rule names.
[[nodiscard]] std::variant<seatbelt::read::Request, QuestionError> parse_question(
    std::string_view operation, std::string_view argument);

}  // namespace nd7::answer
