#include "runtime/hook/json.hpp"

#include <set>
#include <vector>

namespace nd7::runtime::hook {
namespace {

/// Ends the reading; never leaves this file.
struct Refusal {
  const char* why;
};

/// Looks at the text while it is parsed, before values are built of it.
class Watch {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth > kMaxJsonDepth) throw Refusal{"it is nested too deeply"};
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(parsed.get_ref<const std::string&>()).second) {
      throw Refusal{"a key stands twice in it"};
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

std::optional<Json> read_json(std::string_view text, std::string& why) {
  if (text.size() > kMaxJsonBytes) {
    why = "it is larger than 16 MiB";
    return std::nullopt;
  }
  try {
    // The callback is copied on its way; its state must not be.
    Watch watch;
    return Json::parse(text.begin(), text.end(),
                       [&watch](int depth, Json::parse_event_t event, Json& parsed) {
                         return watch(depth, event, parsed);
                       });
  } catch (const Refusal& refusal) {
    why = refusal.why;
  } catch (const Json::exception&) {
    why = "it is not JSON";
  }
  return std::nullopt;
}

std::string write_json(const Json& json) { return json.dump(); }

}  // namespace nd7::runtime::hook
