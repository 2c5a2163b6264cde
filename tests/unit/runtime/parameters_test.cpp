#include "runtime/session/parameters.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace nd7::runtime {
namespace {

namespace fs = std::filesystem;

/// A repository with one worktree, laid out as git does it.
class Worktree : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "nd7-worktree-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    base_ = fs::canonical(name);
    fs::create_directories(base_ / "main/.git/worktrees/tree");
    fs::create_directories(base_ / "tree");
    put("main/.git/worktrees/tree/gitdir", (base_ / "tree/.git").string() + "\n");
    put("main/.git/worktrees/tree/commondir", "../..\n");
    put("tree/.git", "gitdir: " + (base_ / "main/.git/worktrees/tree").string() + "\n");
  }
  void TearDown() override { fs::remove_all(base_); }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream{base_ / name} << text;
  }
  [[nodiscard]] std::optional<std::string> found() const {
    return git_common_directory((base_ / "tree").string());
  }
  fs::path base_;
};

TEST_F(Worktree, LeadsToTheCommonDirectory) { EXPECT_EQ(found(), (base_ / "main/.git").string()); }

TEST_F(Worktree, IsNotBelievedUnlessItIsPointedBackAt) {
  put("main/.git/worktrees/tree/gitdir", (base_ / "other/.git").string() + "\n");
  EXPECT_EQ(found(), std::nullopt);
}

TEST_F(Worktree, CannotNameADirectoryThatIsNoRepository) {
  // A program that could write in the project makes itself an entry that points back.
  fs::create_directories(base_ / "tree/fake");
  put("tree/fake/gitdir", (base_ / "tree/.git").string() + "\n");
  put("tree/fake/commondir", (base_ / "main").string() + "\n");
  put("tree/.git", "gitdir: " + (base_ / "tree/fake").string() + "\n");
  EXPECT_EQ(found(), std::nullopt);
}

TEST_F(Worktree, OfAnOrdinaryRepositoryItIsItsOwn) {
  EXPECT_EQ(git_common_directory((base_ / "main").string()), (base_ / "main/.git").string());
}

}  // namespace
}  // namespace nd7::runtime
