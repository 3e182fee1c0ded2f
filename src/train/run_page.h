// The page of a run: curves of what its log has.
#pragma once

#include <string>
#include <vector>

#include "train/run_log.h"

namespace aleph::train {

// is_live: loads itself again every few seconds.
std::string run_page(const std::string& title, const std::vector<LogEntry>& entries, bool is_live);

// The values of a number over the entries of one kind, by step.
std::vector<std::pair<double, double>> points_of(const std::vector<LogEntry>& entries,
                                                 LogEntry::Kind kind, const std::string& number);

}  // namespace aleph::train
