// Statistics of a dataset for people: in a terminal, and as a page for a browser.
#pragma once

#include <string>

#include "data/dataset/dataset_stats.h"

namespace aleph::data {

// Tables with small bars. Ends with a newline.
std::string dataset_stats_text(const DatasetStats& stats);

// A whole page: nothing outside of it is needed, no script, light or dark as the reader prefers.
// Histograms are drawn, and all numbers are there as tables too.
std::string dataset_stats_html(const DatasetStats& stats);

}  // namespace aleph::data
