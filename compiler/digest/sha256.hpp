// SHA-256 of a text, by the system's library.
#pragma once

#include <string>
#include <string_view>

namespace nd7 {

/// The digest of any bytes (NUL included) as 64 lower-case hexadecimal digits. Cannot fail.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace nd7
