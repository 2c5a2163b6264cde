// The texts of a profile as a flat tree of datums, every one with its place.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/seatbelt/read/limits.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::seatbelt::read {

using SymbolId = std::uint32_t;
using DatumId = std::uint32_t;

/// Every symbol once. Movable only: the index points into the names.
class Symbols {
 public:
  Symbols() = default;
  Symbols(Symbols&&) = default;
  Symbols& operator=(Symbols&&) = default;

  SymbolId intern(std::string_view name);
  [[nodiscard]] const std::string& name(SymbolId id) const { return names_[id]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, SymbolId> ids_;
};

struct Datum {
  enum class Kind : std::uint8_t { list, symbol, string, integer, boolean };
  Kind kind = Kind::list;
  bool dotted = false;      ///< list: the last kid is the tail, as in `(a . b)`
  std::uint32_t index = 0;  ///< list: first of its kids in `kids`; symbol: id; string: in `strings`
  std::uint32_t count = 0;  ///< list: number of kids
  std::int64_t number = 0;  ///< integer; boolean: 0 or 1; a character is its code
  Span span;
};

/// Datums refer to each other by index; a list stands after its kids.
struct DatumTree {
  std::vector<Datum> datums;
  std::vector<DatumId> kids;
  std::vector<std::string> strings;
  std::vector<DatumId> top;  ///< of all texts, in order
  Symbols symbols;
};

/// Appends the datums of one text (below 4 GiB). False after an error (ND6001–ND6004, ND6025,
/// ND6026) was added. Adds notes on constructs that other readers understand in other ways.
[[nodiscard]] bool read_datums(const SourceMap& sources, FileId file, const Limits& limits,
                               DatumTree& tree, Diagnostics& diagnostics);

}  // namespace nd7::seatbelt::read
