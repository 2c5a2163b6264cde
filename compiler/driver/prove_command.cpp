// nd7c prove FILE
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "compiler/answer/invariants.hpp"
#include "compiler/check/where.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/pipeline/prove.hpp"
#include "compiler/syntax/expression.hpp"

namespace nd7::driver {
namespace {

using answer::Proof;

/// One claim and what became of it.
struct Line {
  std::string claim;
  std::string scope;
  Proof proof;
};

std::string verdict(const Proof& proof) {
  if (!proof.bug.empty()) return "bug";
  if (!proof.failure) return "proved";
  return proof.failure->undecided ? "undecided" : "refuted";
}

class Prove {
 public:
  Prove(SourceMap& sources, Compiled& compiled, const Resolved& options)
      : compiled_(compiled),
        options_(options),
        prover_(compiled.policy, sources, {options.compile.check.release, compiled.protect, {}}) {}

  void laws() {
    // The seal: every operation on files, sockets and programs, whatever the rules say.
    ir::Conditions& conditions = compiled_.policy.conditions;
    const ir::CondId sealed =
        conditions.atom({seatbelt::Filter::subpath, ir::hole(ir::kHome) + "/.nd7", 0, {}});
    ir::Clause files;
    files.cond = sealed;
    for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
      const auto op = static_cast<seatbelt::Op>(i);
      const bool in_release =
          !options_.compile.check.release ||
          info(op).releases.contains(seatbelt::ReleaseSet::only(*options_.compile.check.release));
      if (info(op).subject == seatbelt::Subject::path && in_release &&
          info(op).releases == seatbelt::ReleaseSet::all()) {
        files.ops.push_back(op);
      }
    }
    ir::Clause sockets{{seatbelt::Op::network_outbound}, sealed, {}};
    lines_.push_back({"law 2: ~/.nd7 is sealed", "every operation on files, programs and sockets",
                      prover_.never({files, sockets})});
    if (compiled_.policy.target == ir::Target::seatbelt) {
      const ir::CondId exit =
          conditions.atom({seatbelt::Filter::literal, ir::hole(ir::kExit), 0, {}});
      ir::Clause write{{seatbelt::Op::file_write_all}, exit, {}};
      lines_.push_back({"law 3: nd7-exec cannot be written", "every operation of file-write*",
                        prover_.never({write})});
    }
  }

  void invariants() {
    for (const ir::Rule& rule : compiled_.policy.rules) {
      if (rule.effect != ir::Effect::never) continue;
      lines_.push_back({fmt::format("never.{}", rule.id), rule.why, prover_.never(rule.clauses)});
    }
  }

  void ad_hoc(const std::string& claim, std::vector<ir::Clause> clauses) {
    lines_.push_back({"never " + claim, "asked for here", prover_.never(clauses)});
  }

  int finish(Format format) {
    int code = kClean;
    std::string text;
    for (const Line& line : lines_) {
      const std::string result = verdict(line.proof);
      if (result == "refuted") code = std::max<int>(code, kFindings);
      if (result == "undecided" && code == kClean) code = kUndecided;
      if (result == "bug") code = kInternal;
      text += format == Format::json ? json(line, result, text.empty()) : human(line, result);
    }
    if (format == Format::json) {
      text = fmt::format("{{\"comparisons\": {}, \"claims\": [{}]}}\n",
                         compiled_.validation.comparisons, text);
    } else {
      text = fmt::format(
                 "proved    the text decides what the rules say: {} comparisons "
                 "(operations, readings of precedence, optional parameters)\n",
                 compiled_.validation.comparisons) +
             text +
             "given S1: the imported system.sb adds filtered allows only, none for user data\n";
    }
    return write_all(STDOUT_FILENO, text) ? code : static_cast<int>(kFindings);
  }

 private:
  static std::string human(const Line& line, const std::string& result) {
    std::string text = fmt::format("{:<9} {}\n", result, printable(line.claim));
    if (!line.scope.empty()) text += fmt::format("            {}\n", printable(line.scope));
    text += fmt::format("            for floor and command profile, {} placements, {} searches\n",
                        line.proof.placements, line.proof.searches);
    if (!line.proof.bug.empty()) text += fmt::format("            {}\n", line.proof.bug);
    if (line.proof.failure && !line.proof.failure->undecided) {
      const auto& failure = *line.proof.failure;
      text += fmt::format("            witness: {} {} is answered {} by {}\n",
                          seatbelt::name(failure.op), printable(failure.subject),
                          to_string(failure.level),
                          failure.by ? printable(failure.by->label) : "the default");
      text += fmt::format("            with {} ({})\n", printable(failure.placement.meaning),
                          printable(placement_text(failure.placement)));
    }
    return text;
  }

  static std::string json(const Line& line, const std::string& result, bool first) {
    std::string witness = "null";
    if (line.proof.failure && !line.proof.failure->undecided) {
      const auto& failure = *line.proof.failure;
      witness = fmt::format(
          "{{\"op\": \"{}\", \"subject\": {}, \"verdict\": \"{}\", \"rule\": {}}}",
          seatbelt::name(failure.op), json_string(failure.subject), to_string(failure.level),
          failure.by ? json_string(failure.by->label) : "null");
    }
    return fmt::format(
        "{}{{\"claim\": {}, \"result\": \"{}\", \"placements\": {}, \"searches\": {}, "
        "\"witness\": {}}}",
        first ? "" : ", ", json_string(line.claim), result, line.proof.placements,
        line.proof.searches, witness);
  }

  Compiled& compiled_;
  const Resolved& options_;
  answer::Prover prover_;
  std::vector<Line> lines_;
};

/// "OP [OP...] where EXPR" as clauses over the policy; nullopt after diagnostics.
std::optional<std::vector<ir::Clause>> parse_claim(const std::string& claim, SourceMap& sources,
                                                   Compiled& compiled, const Resolved& options,
                                                   Diagnostics& diagnostics) {
  const std::size_t where = claim.find(" where ");
  const FileId file = sources.add("--never", {}, claim);
  if (where == std::string::npos) {
    diagnostics.add(Code::ND2011, Span{file, 0, static_cast<std::uint32_t>(claim.size())},
                    "a claim is `OP where EXPRESSION`");
    return std::nullopt;
  }
  ValuesNode ops;
  ops.span = {file, 0, static_cast<std::uint32_t>(where)};
  std::size_t at = 0;
  while (at < where) {
    std::size_t end = std::min(claim.find(' ', at), where);
    if (end > at) {
      StringNode node;
      node.text = claim.substr(at, end - at);
      node.span = {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      ops.items.push_back(std::move(node));
    }
    at = end + 1;
  }
  const auto begin = static_cast<std::uint32_t>(where + 7);
  const auto expr =
      parse_expression(std::string_view{claim}.substr(begin), file, begin, diagnostics);
  LoadedUnit unit;
  unit.file.file = file;
  unit.unit.file = file;
  unit.unit.set = "claim";
  Names names{unit, {}, compiled.policy, diagnostics};
  const auto resolved = resolve_operations(ops, options.compile.check.release, names, diagnostics);
  if (!expr || resolved.empty()) return std::nullopt;
  std::vector<ir::Clause> clauses;
  for (const NamedOperation& op : resolved) {
    const auto cond = resolve_where(*expr, {op}, names, compiled.policy, diagnostics);
    if (!cond) return std::nullopt;
    clauses.push_back({{op.op}, *cond, ops.span});
  }
  return clauses;
}

}  // namespace

int run_prove(const Words& words) {
  CLI::App app{"Prove the laws and every never of a rules file.", "nd7c prove"};
  std::string input;
  std::vector<std::string> claims;
  PolicyOptions policy;
  OutputOptions output;
  app.add_option("FILE", input, "the rules file")->required();
  app.add_option("--never", claims,
                 "a claim of your own: 'file-read-data where subpath(\"~/.netrc\")'")
      ->type_name("'OP where EXPR'")
      ->take_all();
  add_policy_options(app, policy);
  add_output_options(app, output);
  if (const auto code = parse(app, words)) return *code;
  const auto resolved = resolve(policy, output);
  if (!resolved) return kUsage;
  SourceMap sources;
  Diagnostics diagnostics;
  const auto root = read_input(input, sources, diagnostics);
  std::optional<Compiled> compiled;
  int code = root ? static_cast<int>(kClean) : static_cast<int>(kCannotRun);
  if (root) {
    compiled = compile(sources, DiskFiles{}, *root, resolved->compile, diagnostics);
    if (!compiled) code = error_code(diagnostics);
    if (compiled && !compiled->bugs.empty()) code = kInternal;
  }
  std::vector<std::pair<std::string, std::vector<ir::Clause>>> parsed;
  if (code == kClean) {
    for (const std::string& claim : claims) {
      auto clauses = parse_claim(claim, sources, *compiled, *resolved, diagnostics);
      if (!clauses) {
        code = kFindings;
        break;
      }
      parsed.emplace_back(claim, std::move(*clauses));
    }
  }
  ConsoleOptions console = resolved->console;
  if (console.format == Format::json && code == kClean) console.format = Format::plain;
  if (!show(diagnostics, sources, console) || code != kClean) {
    return code == kClean ? static_cast<int>(kFindings) : code;
  }
  Prove prove{sources, *compiled, *resolved};
  prove.laws();
  prove.invariants();
  for (auto& [claim, clauses] : parsed) prove.ad_hoc(claim, std::move(clauses));
  return prove.finish(resolved->console.format);
}

}  // namespace nd7::driver
