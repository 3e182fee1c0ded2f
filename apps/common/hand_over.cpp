#include "common/hand_over.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "base/program_folder.h"

namespace aleph::apps {

int hand_over(std::string_view program_name, const Sibling& sibling, Arguments words) {
  const std::string path = (program_folder() / sibling.program).string();
  std::vector<std::string> texts{path};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);

  std::fflush(nullptr);  // what is still in a buffer would be lost with this program
  ::execv(path.c_str(), argv.data());
  if (errno == ENOENT) {
    fmt::print(stderr,
               "{}: '{}' lives in {}, which is not beside this program; build it with: make {}\n",
               program_name, words.front(), sibling.program, sibling.make_target);
  } else {
    fmt::print(stderr, "{}: cannot start {}: {}\n", program_name, path,
               std::generic_category().message(errno));
  }
  return kFailed;
}

}  // namespace aleph::apps
