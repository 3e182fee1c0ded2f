// The figures of a comparison, as tables and sentences: what its Markdown and its page share.
#pragma once

#include <string>
#include <vector>

#include "train/compare.h"
#include "train/page.h"

namespace aleph::train {

// "52.1 ± 0.7 %": with the half width of the interval of 95 %.
std::string percent_with_error(const Share& share);

PageTable network_table(const std::vector<ComparedRun>& runs);  // size, cost, time
PageTable step_table(const std::vector<ComparedRun>& runs);     // accuracy, step by step
PageTable final_table(const std::vector<ComparedRun>& runs);
PageTable phase_table(const std::vector<ComparedRun>& runs);
PageTable rating_table(const std::vector<ComparedRun>& runs);  // no rows: ratings are not known

// Each run against the first: who is ahead, by how much, at what price. Only what the figures bear.
std::vector<std::string> conclusions(const std::vector<ComparedRun>& runs);

// What both were given, in one sentence.
std::string setting_text(const std::vector<ComparedRun>& runs);

}  // namespace aleph::train
