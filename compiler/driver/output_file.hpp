// Writing an output whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::driver {

/// Writes `text` to `path`: into a new file beside it, flushed to the disk, then renamed over it,
/// so that the old file stays until the new one is complete. A symbolic link is followed; its
/// target is replaced. A device or FIFO is written to directly. Returns what went wrong.
[[nodiscard]] std::optional<std::string> write_output(const std::string& path,
                                                      std::string_view text);

/// The first of `inputs` that is the same file as `path`, by whatever name.
[[nodiscard]] std::optional<std::string> same_file(const std::string& path,
                                                   const std::vector<std::string>& inputs);

}  // namespace nd7::driver
