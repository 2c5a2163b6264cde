// Files built into the program by nd7_embed (cmake/EmbedFiles.cmake).
#pragma once

#include <string_view>

namespace nd7 {

/// Both views are of static storage. A list of them is sorted as the build listed the files.
struct EmbeddedFile {
  std::string_view name;  ///< without folders: "ND1001.md"
  std::string_view text;  ///< the file's bytes
};

}  // namespace nd7
