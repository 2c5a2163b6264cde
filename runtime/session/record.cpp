#include "runtime/session/record.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <stdexcept>

#include "compiler/source/utf8.hpp"

namespace nd7::runtime {
namespace {

using Json = nlohmann::ordered_json;

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    if (!unit.valid) return false;
    at += unit.length;
  }
  return true;
}

/// What cannot stand in JSON is written in hexadecimal: paths are bytes.
Json bytes(const std::string& text) {
  if (is_utf8(text)) return text;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return Json{{"hex", hex}};
}

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10U;
  throw std::invalid_argument{"a hexadecimal digit is none"};
}

std::string bytes(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  const auto hex = value.at("hex").get<std::string>();
  if (hex.size() % 2 != 0) throw std::invalid_argument{"half a byte"};
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    text += static_cast<char>(digit(hex[i]) << 4U | digit(hex[i + 1]));
  }
  return text;
}

Json list(const std::vector<std::string>& texts) {
  Json result = Json::array();
  for (const std::string& text : texts) result.push_back(bytes(text));
  return result;
}
std::vector<std::string> list(const Json& value) {
  std::vector<std::string> result;
  for (const Json& item : value.get_ref<const Json::array_t&>()) result.push_back(bytes(item));
  return result;
}

/// Pairs, not members: names may be bytes, too.
Json pairs(const std::map<std::string, std::string>& texts) {
  Json result = Json::array();
  for (const auto& [name, text] : texts) result.push_back({bytes(name), bytes(text)});
  return result;
}
std::map<std::string, std::string> pairs(const Json& value) {
  std::map<std::string, std::string> result;
  for (const Json& item : value.get_ref<const Json::array_t&>()) {
    if (!item.is_array() || item.size() != 2) throw std::invalid_argument{"a pair is none"};
    result.emplace(bytes(item[0]), bytes(item[1]));
  }
  return result;
}

}  // namespace

std::string to_json(const Record& record) {
  Json json;
  json["nd7_session"] = kRecordFormat;
  json["process"] = record.process;
  json["started"] = record.started;
  json["home"] = bytes(record.home);
  json["project"] = bytes(record.project);
  json["temporary"] = bytes(record.temporary);
  json["exit"] = bytes(record.exit);
  json["shell"] = bytes(record.shell);
  json["root"] = bytes(record.root);
  json["sets"] = list(record.sets);
  json["grants"] = list(record.grants);
  json["bindings"] = pairs(record.bindings);
  json["protect"] = list(record.protect);
  json["own"] = list(record.own);
  json["made"] = list(record.made);
  json["sources"] = pairs(record.sources);
  return json.dump(2) + "\n";
}

std::variant<Record, std::string> record_from_json(std::string_view text) {
  if (text.size() > kMaxRecordBytes) return "the record is too large";
  try {
    const Json json = Json::parse(text);
    if (json.at("nd7_session").get<int>() != kRecordFormat) {
      return "the record is of another version of nd7";
    }
    constexpr std::array kKeys{
        "nd7_session", "process", "started", "home",     "project", "temporary", "exit", "shell",
        "root",        "sets",    "grants",  "bindings", "protect", "own",       "made", "sources"};
    if (json.size() != kKeys.size()) return "the record has other members than it should";
    Record record;
    record.process = json.at("process").get<pid_t>();
    record.started = json.at("started").get<std::uint64_t>();
    record.home = bytes(json.at("home"));
    record.project = bytes(json.at("project"));
    record.temporary = bytes(json.at("temporary"));
    record.exit = bytes(json.at("exit"));
    record.shell = bytes(json.at("shell"));
    record.root = bytes(json.at("root"));
    record.sets = list(json.at("sets"));
    record.grants = list(json.at("grants"));
    record.bindings = pairs(json.at("bindings"));
    record.protect = list(json.at("protect"));
    record.own = list(json.at("own"));
    record.made = list(json.at("made"));
    record.sources = pairs(json.at("sources"));
    return record;
  } catch (const std::exception& problem) {
    return std::string{"the record cannot be read: "} + problem.what();
  }
}

}  // namespace nd7::runtime
