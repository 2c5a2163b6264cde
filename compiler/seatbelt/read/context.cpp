#include "compiler/seatbelt/read/context.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace nd7::seatbelt::read {

Diagnostic& Context::fail(Code code, Place place, std::string message) {
  if (failed_) return spare_;
  failed_ = true;
  return add(code, place, std::move(message));
}

void Context::fail_opaque(Place place, std::string_view what) {
  Diagnostic& error =
      fail(Code::ND6019, place, fmt::format("{} depends on a parameter that is left open", what));
  error.helps.emplace_back("bind the parameter, or compare nothing but whether it is set");
}

Diagnostic& Context::warn(Code code, Place place, std::string message) {
  // A loop can meet the same place any number of times.
  static constexpr std::size_t kMaxWarnings = 100;
  if (warnings_ == kMaxWarnings) return spare_ = {};
  ++warnings_;
  return add(code, place, std::move(message));
}

Diagnostic& Context::add(Code code, Place place, std::string message) {
  std::optional<Span> at;
  if (place != kNowhere) at = span(place);
  return diagnostics_.add(code, at, std::move(message));
}

Span Context::span(Place place) const {
  return place < tree.datums.size() ? tree.datums[place].span : Span{};
}

bool Context::step(Place place, std::size_t stack) {
  if (++steps_ > limits().steps) {
    fail(Code::ND6016, place,
         fmt::format("the profile is not done after {} steps", limits().steps));
    return false;
  }
  if (heap.cells() + charged_ + stack > limits().cells) return charge(limits().cells, place);
  return !failed_;
}

bool Context::charge(std::size_t cells, Place place) {
  charged_ += cells;
  if (heap.cells() + charged_ > limits().cells) {
    fail(Code::ND6018, place,
         fmt::format("the profile makes more than {} lists, bindings and rule parts",
                     limits().cells));
  }
  return !failed_;
}

bool Context::room_for_text(std::size_t bytes, Place place) {
  if (bytes > limits().text_bytes || heap.text_bytes + bytes > limits().text_bytes) {
    fail(Code::ND6018, place,
         fmt::format("the profile makes more than {} bytes of text", limits().text_bytes));
  }
  return !failed_;
}

}  // namespace nd7::seatbelt::read
