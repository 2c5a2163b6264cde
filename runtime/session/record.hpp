// A session's record: all that is needed to render its policy again, as data. It names no rules
// files: their texts as they were at the start are in it, since a file may have been changed by
// what it confines.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nd7::runtime {

/// The version of the format.
inline constexpr int kRecordFormat = 1;
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20U;

struct Record {
  pid_t process = -1;         ///< of nd7 run
  std::uint64_t started = 0;  ///< when it started, in the kernel's clock ticks since boot
  std::string home;
  std::string project;
  std::string temporary;
  std::string exit;  ///< nd7-exec
  std::string shell;
  std::string root;               ///< the path of the rules file that was compiled, or a set's name
  std::vector<std::string> sets;  ///< shipped sets that are added to it
  std::map<std::string, std::string> sources;   ///< texts by path
  std::map<std::string, std::string> bindings;  ///< of parameters, by key
  std::vector<std::string> protect;
  std::vector<std::string> grants;  ///< physical paths, in the order in which they were given
  /// Directories outside that belong to the session alone and go with it.
  std::vector<std::string> own;
  /// Directories and empty files that were made so that they could be protected: removed at the end
  /// if they are still empty.
  std::vector<std::string> made;
};

[[nodiscard]] std::string to_json(const Record& record);

/// A text says why there is none.
[[nodiscard]] std::variant<Record, std::string> record_from_json(std::string_view json);

}  // namespace nd7::runtime
