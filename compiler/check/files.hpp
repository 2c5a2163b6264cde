// Where rules files come from: the disk, or memory in tests and fuzz targets.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>

namespace nd7 {

/// A file's text and its physical absolute path (the file's identity).
struct FileText {
  std::string path;
  std::string text;
};

/// Why a file could not be read: "no such file", "is a directory".
struct FileError {
  std::string reason;
};

class Files {
 public:
  virtual ~Files() = default;
  /// `path` is absolute, or relative to the process's directory.
  [[nodiscard]] virtual std::variant<FileText, FileError> read(const std::string& path) const = 0;
};

/// Regular files only, up to kMaxFileBytes (one byte more is read, so that the gate can refuse it).
class DiskFiles final : public Files {
 public:
  [[nodiscard]] std::variant<FileText, FileError> read(const std::string& path) const override;
};

/// Texts by path, for tests and fuzz targets.
class MemoryFiles final : public Files {
 public:
  void put(std::string path, std::string text) { files_[std::move(path)] = std::move(text); }
  [[nodiscard]] std::variant<FileText, FileError> read(const std::string& path) const override;

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace nd7
