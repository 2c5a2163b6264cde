// Profiles of other projects, where a checkout of them stands beside this one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "compiler/seatbelt/read/traps.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

const std::string kShared = ND7_SOURCE_DIR "/../shared/corpus";

/// Definitions that the owners of fragments put before them.
const std::string kPrelude = R"((define HOME_DIR "/Users/dev")
(define WORK_DIR "/Users/dev/work")
(define __SAFEHOUSE_REPLACE_ME_WITH_WORK_DIR_DEFINE__ #f)
(define (home-subpath rel) (subpath (string-append HOME_DIR rel)))
(define (home-literal rel) (literal (string-append HOME_DIR rel)))
(define (home-prefix rel) (prefix (string-append HOME_DIR rel)))
(define (user-homedir-path rel) (string-append HOME_DIR rel))
(define (param-true? name) (let ((value (param name))) (and value (string=? value "TRUE"))))
(define (param-defined? name) (if (param name) #t #f))
(define os-version 1400)
(define bundle-id "BUNDLE_ID")
(define darwin-user-cache-dir "USER_CACHE_DIR")
(define darwin-user-temp-dir "USER_TEMP_DIR")
(define filter-syscalls-debug "FILTER_SYSCALLS_DEBUG")
)";

std::vector<Parameter> usual_parameters() {
  std::vector<Parameter> result;
  for (const char* name : {"BUNDLE_ID",
                           "USER_CACHE_DIR",
                           "USER_TEMP_DIR",
                           "DARWIN_USER_CACHE_DIR",
                           "TARGET_DIR",
                           "TMP_DIR",
                           "CACHE_DIR",
                           "HOME_DIR",
                           "INCLUDE_DIR_0",
                           "INCLUDE_DIR_1",
                           "INCLUDE_DIR_2",
                           "INCLUDE_DIR_3",
                           "INCLUDE_DIR_4",
                           "SHOULD_LOG",
                           "PLUGIN_BINARY_PATH",
                           "APP_PATH",
                           "APP_BINARY_PATH",
                           "HAS_WINDOW_SERVER",
                           "_GLOBAL_TMP_DIR",
                           "_NIX_BUILD_TOP",
                           "NETWORK_SERVICE_STORAGE_PATH_0",
                           "NETWORK_SERVICE_STORAGE_PATH_1"}) {
    result.push_back({name, Parameter::Kind::bound, fmt::format("/private/given/{}", name)});
  }
  result.push_back({"NETWORK_SERVICE_STORAGE_PATHS_COUNT", Parameter::Kind::bound, "2"});
  return result;
}

bool is_invalid(const std::string& name) { return name.rfind("invalid-", 0) == 0; }

TEST(Corpus, LoadsOrRefusesEveryProfile) {
  if (!std::filesystem::exists(kShared)) GTEST_SKIP() << kShared << " is not here";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kShared + "/sbpl")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".sb") continue;
    ++count;
    const std::string text = read_file(entry.path().string()).value_or("");
    ReadOptions options;
    options.parameters = usual_parameters();
    options.fragment = text.find("(version 1)") == std::string::npos;
    const Reading reading =
        is_invalid(name) ? read_text(text, options) : read_texts({kPrelude, text}, options);
    EXPECT_EQ(reading.rules.has_value(), !is_invalid(name)) << name << '\n' << reading.log();
    if (is_invalid(name)) {
      ASSERT_NE(reading.error(), nullptr) << name;
      EXPECT_TRUE(reading.error()->primary.has_value()) << name << '\n' << reading.log();
    } else if (reading.rules) {
      Diagnostics traps;
      find_traps(*reading.rules, traps);
      EXPECT_EQ(traps.error_count(), 0U);
    }
  }
  EXPECT_GE(count, 40U);
}

TEST(Corpus, EveryDecisionAgrees) {
  const std::optional<Table> table = read_table(kShared + "/../corpus/sbpl-decisions.tsv");
  if (!table) GTEST_SKIP() << kShared << " is not here";
  const std::vector<std::string> names{"uFcF", "uFcE", "uOcF", "uOcE"};
  for (const std::vector<std::string>& row : table->rows) {
    ASSERT_GE(row.size(), 7U);
    std::string profile = row[1];
    if (profile.rfind("file:", 0) == 0) {
      profile = read_file(kShared + "/sbpl/" + profile.substr(5)).value_or("");
    }
    const std::optional<Question> question = parse_question(row[2], row[3]);
    ASSERT_TRUE(question) << row[0];
    ReadOptions options;
    options.parameters = question->parameters;
    options.fragment = profile.find("(version 1)") == std::string::npos;
    const Reading reading = read_text(profile, options);
    if (row[4] == "load-error") {
      EXPECT_FALSE(reading.rules) << row[0];
      continue;
    }
    ASSERT_TRUE(reading.rules) << row[0] << '\n' << reading.log();
    const auto decisions = decide_all(*reading.rules, question->request);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      const bool refuted = row[6].find(names[i]) != std::string::npos;
      EXPECT_EQ(to_string(decisions[i].verdict) == row[4], !refuted)
          << row[0] << ' ' << names[i] << ": " << to_string(decisions[i].verdict);
    }
  }
  EXPECT_GE(table->rows.size(), 120U);
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
