// Diagnostics over texts that are hard to show; the renderers' goldens are made from them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::test {

struct Scenario {
  SourceMap sources;
  Diagnostics diagnostics;

  /// The span of the first occurrence of `text` in the file.
  [[nodiscard]] Span find(FileId file, std::string_view text) const {
    const std::size_t at = sources.file(file).text().find(text);
    return {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + text.size())};
  }
};

struct NamedScenario {
  std::string name;
  std::function<void(Scenario&)> build;
};

inline std::vector<NamedScenario> scenarios() {
  return {
      {"empty_file",
       [](Scenario& s) {
         const FileId f = s.sources.add("empty.toml", "", "");
         s.diagnostics.add(Code::ND2001, Span{f, 0, 0}, "this file has no `nd7` key")
             .primary_label = "expected `nd7 = 1`";
       }},
      {"end_of_file",
       [](Scenario& s) {
         const FileId f = s.sources.add("end.toml", "", "nd7 = 1\nname = [\n");
         s.diagnostics.add(Code::ND1007, Span{f, 17, 17}, "the file ends inside a list")
             .labels.push_back({Span{f, 15, 16}, "it begins here"});
       }},
      {"tab",
       [](Scenario& s) {
         const FileId f = s.sources.add("tab.toml", "", "nd7 = 1\n\tx\t= \"a\"\tb\n");
         s.diagnostics.add(Code::ND1007, s.find(f, "b"), "text after a value").primary_label =
             "here";
       }},
      {"crlf",
       [](Scenario& s) {
         const FileId f = s.sources.add("crlf.toml", "", "nd7 = 1\r\nnmae = \"x\"\r\n[let]\r\n");
         Diagnostic& d = s.diagnostics.add(Code::ND2003, s.find(f, "nmae"), "unknown key `nmae`");
         d.fixits.push_back({s.find(f, "nmae"), "name", "write `name`"});
         s.diagnostics.add(Code::ND1007, s.find(f, "\r\n[let]"), "the end of this line").notes = {
             "a note", "another\nin two lines"};
       }},
      {"byte_order_mark",
       [](Scenario& s) {
         const FileId f = s.sources.add("bom.toml", "", "\xEF\xBB\xBFnd8 = 1\n");
         s.diagnostics.add(Code::ND2003, s.find(f, "nd8"), "unknown key `nd8`").primary_label =
             "did you mean `nd7`?";
       }},
      {"wide",
       [](Scenario& s) {
         const FileId f =
             s.sources.add("wide.toml", "", "read = \"/日本語/cafe\xCC\x81/\xFF/x\" # é\n");
         s.diagnostics.add(Code::ND2020, s.find(f, "cafe\xCC\x81"), "a wide neighbour")
             .labels.push_back({s.find(f, "日本語"), "three characters, six columns"});
       }},
      {"long_line",
       [](Scenario& s) {
         const FileId f = s.sources.add(
             "long.toml", "", std::string(5000, 'a') + " HERE " + std::string(5000, 'b') + "\n");
         s.diagnostics.add(Code::ND1007, s.find(f, "HERE"), "in the middle").primary_label = "this";
         s.diagnostics.add(Code::ND1007, Span{f, 100, 9000}, "wider than any screen");
       }},
      {"three_lines",
       [](Scenario& s) {
         const FileId f = s.sources.add(
             "three.toml", "", "[deny.x]\nread = [\n  \"a\",\n  \"b\"]\nwhy = \"y\"\n\n# end\n");
         Diagnostic& d = s.diagnostics.add(Code::ND2020, s.find(f, "[\n  \"a\",\n  \"b\"]"),
                                           "relative paths in a list");
         d.primary_label = "this list";
         d.labels.push_back({s.find(f, "\"a\""), "relative"});
         d.labels.push_back({s.find(f, "# end"), "the end"});
         d.fixits.push_back(
             {s.find(f, "\"a\",\n  \"b\""), "\n  \"/a\",\n  \"/b\",\n", "write roots"});
       }},
      {"many_lines",
       [](Scenario& s) {
         std::string text = "begin\n";
         for (int i = 2; i < 20; ++i) text += "line " + std::to_string(i) + "\n";
         const FileId f = s.sources.add("many.toml", "", text);
         const auto at = [&](std::string_view a, std::string_view b) {
           return Span{f, s.find(f, a).begin, s.find(f, b).end};
         };
         Diagnostic& d = s.diagnostics.add(Code::ND1007, at("line 3", "line 12"), "a long span");
         d.primary_label = "ends here";
         d.labels.push_back({at("line 4", "line 14"), "crosses it"});
       }},
      {"two_files",
       [](Scenario& s) {
         const FileId a = s.sources.add("rules/base.toml", "",
                                        "\n\n\n\n\n\n\n\n\n\n\n\n\ndeny  = \"file-write*\"\n");
         const FileId b =
             s.sources.add("rules/grants.toml", "", "\n\nallow = \"file-write-create\"\n");
         Diagnostic& d = s.diagnostics.add(Code::ND3001, s.find(a, "\"file-write*\""),
                                           "an allow elsewhere wins over this deny");
         d.primary_label = "never consulted for `file-write-create`";
         d.labels.push_back({s.find(b, "\"file-write-create\""), "this rule wins"});
         d.helps.push_back("name each operation in the deny");
         d.fixits.push_back({s.find(b, "\"file-write-create\""), "\"file-read-data\"", ""});
       }},
      {"control_characters",
       [](Scenario& s) {
         const FileId f = s.sources.add("evil\x1b[2J\n.toml", "",
                                        "x = \"\x1b]0;pwned\x07\" # \xE2\x80\xAE txet\rover\n");
         Diagnostic& d = s.diagnostics.add(Code::ND1002, s.find(f, "\x1b]"),
                                           "a control character in `\x1b[31m`");
         d.primary_label = "\x1b[1Ahere\nand there";
         d.notes.push_back("bell \x07\nsecond line \x9b");
         d.fixits.push_back({s.find(f, "\x1b]"), "\x1b", "\x1b"});
       }},
      {"no_place",
       [](Scenario& s) {
         s.diagnostics.add(Code::ND9001, std::nullopt, "cannot read `team.toml`: no such file")
             .helps.push_back("name a file that exists");
         s.diagnostics.add(Code::ND5009, std::nullopt, "the project is the home directory");
       }},
  };
}

}  // namespace nd7::test
