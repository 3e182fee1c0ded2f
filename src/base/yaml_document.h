// What readers of YAML need besides yaml-cpp. Only for sources that are linked with it.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace aleph {

// What the parser says may hold bytes of the file.
inline std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

namespace detail {

class DeafHandler final : public YAML::EventHandler {
  using Anchor = YAML::anchor_t;
  using Mark = YAML::Mark;
  void OnDocumentStart(const Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark&, Anchor) override {}
  void OnAlias(const Mark&, Anchor) override {}
  void OnScalar(const Mark&, const std::string&, Anchor, const std::string&) override {}
  void OnSequenceStart(const Mark&, const std::string&, Anchor,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark&, const std::string&, Anchor, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

}  // namespace detail

// Whether something follows the first document. YAML::LoadAll would tell too, but it never comes
// back from some texts that are wrong.
inline bool has_second_yaml_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  detail::DeafHandler deaf;
  return parser.HandleNextDocument(deaf) && parser.HandleNextDocument(deaf);
}

}  // namespace aleph
