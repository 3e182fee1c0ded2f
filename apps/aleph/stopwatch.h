// Timing of short work, by the processor time of this thread: what other programs take does not
// count.
#pragma once

#include <time.h>

#include <algorithm>
#include <limits>

namespace aleph::apps {

inline double seconds_used() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of one call: the best of several rounds, each long enough to be measured.
template <class Work>
double best_time(double seconds, const Work& work) {
  constexpr double kRound = 0.02;
  double best = std::numeric_limits<double>::max();
  work();  // caches and pages are warm from here on
  for (double spent = 0; spent < seconds;) {
    int calls = 0;
    const double start = seconds_used();
    double used = 0;
    for (; used < kRound; used = seconds_used() - start, ++calls) work();
    best = std::min(best, used / calls);
    spent += used;
  }
  return best;
}

}  // namespace aleph::apps
