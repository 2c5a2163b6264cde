#include "compiler/digest/sha256.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>

#include <algorithm>
#else
#include <sha2.h>
#endif

namespace nd7 {
namespace {

using Digest = std::array<std::uint8_t, 32>;

#ifdef __APPLE__
Digest sha256(std::string_view bytes) {
  // CC_LONG has 32 bits: longer texts go in pieces.
  constexpr std::size_t kPiece = std::size_t{1} << 30U;
  CC_SHA256_CTX context;
  CC_SHA256_Init(&context);
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kPiece);
    CC_SHA256_Update(&context, bytes.data(), static_cast<CC_LONG>(size));
    bytes.remove_prefix(size);
  }
  Digest digest{};
  CC_SHA256_Final(digest.data(), &context);
  return digest;
}
#else
Digest sha256(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  // An empty view may hold a null pointer, which the library's memcpy must not see.
  if (!bytes.empty()) {
    SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  Digest digest{};
  SHA256Final(digest.data(), &context);
  return digest;
}
#endif

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(64);
  for (const std::uint8_t byte : sha256(bytes)) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 0xFU];
  }
  return hex;
}

}  // namespace nd7
