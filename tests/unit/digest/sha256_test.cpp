#include "compiler/digest/sha256.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace nd7 {
namespace {

using namespace std::string_view_literals;

// The examples of FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, NothingAtAll) {
  constexpr auto kExpected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  EXPECT_EQ(sha256_hex(""), kExpected);
  EXPECT_EQ(sha256_hex(std::string_view{}), kExpected);
}

TEST(Sha256, OneBlock) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, TwoBlocks) {
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, AMillionBytes) {
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// From the byte-oriented test vectors of FIPS 180: one byte, above 0x7f.
TEST(Sha256, AHighByte) {
  EXPECT_EQ(sha256_hex("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

TEST(Sha256, NulBytesCount) {
  EXPECT_NE(sha256_hex("a\0b"sv), sha256_hex("ab"sv));
  EXPECT_NE(sha256_hex("a\0b"sv), sha256_hex("a"sv));
}

// The padding changes shape where the length no longer fits the block.
TEST(Sha256, EveryLengthAroundABlockDiffers) {
  std::string previous;
  for (std::size_t size = 50; size <= 70; ++size) {
    const std::string hex = sha256_hex(std::string(size, 'x'));
    EXPECT_EQ(hex.size(), 64U);
    EXPECT_NE(hex, previous);
    previous = hex;
  }
}

}  // namespace
}  // namespace nd7
