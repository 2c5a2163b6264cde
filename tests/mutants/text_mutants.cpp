// Mistakes of printing.
#include <utility>

#include "tests/mutants/mutants.hpp"

namespace nd7::test {
namespace {

using laws::Profile;

/// The first `from` after `mark` becomes `to`.
Mutant replace(std::string name, const std::string& mark, const std::string& from,
               const std::string& to) {
  return {std::move(name), Profile::floor, {}, [=](std::string& text) {
            const std::size_t begin = text.find(mark);
            const std::size_t at = begin == std::string::npos ? begin : text.find(from, begin);
            if (at == std::string::npos) return false;
            text.replace(at, from.size(), to);
            return true;
          }};
}

std::vector<Mutant> of_filters() {
  return {
      replace("SubpathBecomesPrefix", "; root.toml:10 data", "(subpath", "(prefix"),
      replace("SubpathBecomesLiteral", "credentials", "(subpath", "(literal"),
      replace("LiteralBecomesPrefix", "; root.toml:10 data", "(literal", "(prefix"),
      replace("PrefixBecomesSubpath", "scratch\n(deny", "(prefix", "(subpath"),
      replace("AncestorsBecomeTheDirectory", "; -- what is denied stays", "(path-ancestors",
              "(literal"),
      replace("APortGetsAnotherDigit", "(allow", "*:443", "*:4430"),
      replace("APortIsLost", "(allow", "*:443", "*:*"),
      replace("ThisMachineBecomesEvery", "(allow", "localhost:8080", "*:8080"),
      replace("TcpBecomesIp", "(allow", "(remote tcp", "(remote ip"),
      replace("UdpBecomesTcp", "(allow", "(remote udp", "(remote tcp"),
      replace("TcpBecomesVersionFour", "(allow", "(remote tcp", "(remote tcp4"),
      replace("RemoteBecomesLocal", "(allow", "(remote tcp", "(local tcp"),
      replace("AllBecomesAny", "(allow", "(require-all", "(require-any"),
      replace("AnyBecomesAll", "keys\n(deny", "(require-any", "(require-all"),
      replace("NotIsLost", "(allow file-write-flags", "(require-not (vnode-type DIRECTORY))",
              "(vnode-type DIRECTORY)"),
      replace("AnExceptionIsLost", "keys\n(deny",
              " (require-not (subpath (string-append (param \"HOME\") \"/Keys/public\")))", ""),
      replace("TheGuardOfANegationIsLost", "(allow network-outbound\n  (require-all",
              " (remote unix-socket)", ""),
      replace("AnExactNameBecomesAPrefix", "(allow mach-lookup", "(global-name ",
              "(global-name-prefix "),
      replace("AGlobalNameBecomesLocal", "(allow mach-lookup", "(global-name ", "(local-name "),
      replace("APrefixBecomesAnExactName", "(deny sysctl-read", "sysctl-name-prefix",
              "sysctl-name"),
      replace("ATargetIsAnother", "(deny signal", "initproc", "self"),
      replace("AVnodeTypeIsAnother", "(allow file-write-flags", "DIRECTORY", "REGULAR-FILE"),
      replace("AnAttributeIsLost", "(allow file-write-xattr", " (xattr \"com.example.mark\")", ""),
      replace("ARegexLosesItsAnchor", "; root.toml:10 data", "#\"^/", "#\"/"),
      replace("ARegexLosesItsEnd", "; root.toml:10 data", "(/|$)", ""),
      replace("ARegexLosesABackslash", "samples\n(deny", "\\.[eE]", ".[eE]"),
      replace("ARegexLosesTheOtherCaseOfALetter", "samples\n(deny", "[eE]", "e"),
      replace("ARegexBecomesAString", "; root.toml:10 data", "(regex #\"", "(literal #\""),
  };
}

std::vector<Mutant> of_text() {
  return {
      replace("AParameterIsTheWrongOne", "keys\n(deny", "(param \"HOME\")", "(param \"PROJ\")"),
      replace("AParameterIsLost", "keys\n(deny", "(string-append (param \"HOME\") \"/Keys\")",
              "\"/Keys\""),
      replace("AParameterIsCalledWrong", "(if (param", "rich.agent", "agent"),
      replace("TheTextAfterAParameterIsLost", "keys\n(deny",
              "(string-append (param \"HOME\") \"/Keys\")", "(param \"HOME\")"),
      replace("AParameterStandsAfterItsText", "keys\n(deny",
              "(string-append (param \"HOME\") \"/Keys\")",
              "(string-append \"/Keys\" (param \"HOME\"))"),
      replace("AParameterIsNotQuoted", "hooks\n(deny", "(regex-quote (param \"PROJ\"))",
              "(param \"PROJ\")"),
      replace("AQuoteIsNotEscaped", "keys\n(deny", "quo\\\"te", "quo\"te"),
      replace("ABackslashIsNotEscaped", "keys\n(deny", "back\\\\slash", "back\\slash"),
      replace("ABackslashIsLost", "keys\n(deny", "back\\\\slash", "backslash"),
      replace("AByteIsLost", "keys\n(deny", "/Keys\"", "/Key\""),
      replace("TheOtherSpellingOfTmp", "; root.toml:10 data", "\"/private/tmp/team-",
              "\"/tmp/team-"),
      replace("AnOperationIsItsNeighbour", "services\n(allow network-inbound",
              "network-inbound network-bind", "network-bind network-bind"),
      replace("AnOperationIsItsClass", "; floor.toml", "(allow process-fork)", "(allow process*)"),
      replace("ADenyOfNothing", "scratch\n(deny", "file-write-data ", ""),
      replace("EverythingIsAllowedByDefault", "", "(deny default)", "(allow default)"),
      replace("EverythingIsAllowedInTheEnd", "nd7/seal", "(deny file-write-unlink",
              "(allow default)\n(deny file-write-unlink"),
      replace("ACommentEndsEarly", "", "; floor.toml:51 project", "\n(allow file-write*)"),
      replace("ARuleIsACommentNow", "", "\n(deny network-outbound (remote", "\n; (deny (remote"),
      replace("TheVersionIsLost", "", "(version 1)\n", ""),
      replace("TheImportIsLost", "", "(import \"system.sb\")\n", ""),
      replace("TheImportIsAnother", "", "(import \"system.sb\")", "(import \"/private/tmp/x.sb\")"),
      replace("ThereIsASecondImport", "", "(import \"system.sb\")",
              "(import \"system.sb\")\n(import \"com.apple.corefoundation.sb\")"),
      replace("TheProfileIsTraced", "", "(deny default)",
              "(deny default)\n(trace \"/private/tmp/t\")"),
      replace("TheExitGetsTheDefaultSandbox", "", "(with no-sandbox)", "(with default-sandbox)"),
      replace("ADenyKills", "hooks\n", "(deny file-mknod",
              "(deny (with send-signal SIGKILL) file-mknod"),
      replace("ARuleIsSilent", "hooks\n", "(deny file-mknod", "(deny (with no-log) file-mknod"),
      {"TheImportStandsLast",
       Profile::floor,
       {},
       [](std::string& text) {
         const std::string import = "(import \"system.sb\")\n";
         const std::size_t at = text.find(import);
         if (at == std::string::npos) return false;
         text.erase(at, import.size());
         text += import;
         return true;
       }},
      {"TheLastRuleIsCutOff",
       Profile::floor,
       {},
       [](std::string& text) {
         const std::size_t at = text.rfind("(deny");
         if (at == std::string::npos) return false;
         text.resize(at);
         return true;
       }},
      {"TheLastParenthesisIsCutOff",
       Profile::floor,
       {},
       [](std::string& text) {
         const std::size_t at = text.rfind(')');
         if (at == std::string::npos) return false;
         text.resize(at);
         return true;
       }},
  };
}

}  // namespace

std::vector<Mutant> text_mutants() {
  std::vector<Mutant> all = of_filters();
  for (Mutant& mutant : of_text()) all.push_back(std::move(mutant));
  return all;
}

}  // namespace nd7::test
