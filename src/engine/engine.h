// Everything one engine owns. Two engines in one process share nothing but read-only networks.
//
// Settings are wishes until they are needed: apply() makes them real, once, however often and in
// whatever order they were changed. What cannot be had leaves the engine as it was.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/position.h"
#include "chess/tablebase.h"
#include "engine/config.h"
#include "engine/network_choice.h"
#include "engine/strength.h"
#include "search/progress.h"
#include "search/searcher.h"
#include "search/table.h"

namespace aleph::nets {
class Network;
}
namespace aleph::nnue {
class QuantileForward;
}

namespace aleph::engine {

class Engine {
 public:
  explicit Engine(EngineConfig config = {});
  ~Engine();

  // To be changed only while no search runs.
  EngineConfig& config() { return config_; }
  const EngineConfig& config() const { return config_; }
  // Makes the settings real. What could not be done, and what is now in use, in one sentence each.
  std::vector<std::string> apply();

  void set_position(chess::Position position) { position_ = std::move(position); }
  const chess::Position& position() const { return position_; }

  // Returns at once. Calls apply() if that was not done since the last change; its sentences go to
  // `sentences` if given. False: there is no network, so there is no search and no answer.
  bool go(search::Limits limits, search::ProgressListener& listener,
          std::vector<std::string>* sentences = nullptr);
  void stop();
  void ponder_hit();
  void wait();
  void new_game();    // forgets what was learned
  void clear_hash();  // the same, at once

  std::uint64_t nodes() const { return searcher_ ? searcher_->nodes() : 0; }
  const search::TranspositionTable& table() const { return table_; }
  // Null before a network was loaded.
  const nnue::Model* model() const { return chosen_ ? chosen_->models.main.get() : nullptr; }
  // Which network is in use and from where, for people; empty before one was loaded.
  std::string network() const { return chosen_ ? chosen_->source : std::string(); }
  // What the EvalFile setting was when the network in use was loaded.
  const std::string& loaded_file() const { return loaded_file_; }
  const eval::NnueModels* models() const { return chosen_ ? &chosen_->models : nullptr; }
  // The network of the PolicyFile setting; null if there is none.
  const std::shared_ptr<const nets::Network>& policy_network() const { return policy_; }
  // The layers of the QuantileFile setting, ready to sit on models(); null if there are none, or if
  // UseQuantiles is off.
  std::shared_ptr<const nnue::QuantileForward> quantiles() const {
    return config_.use_quantiles ? quantiles_ : nullptr;
  }
  // What the QuantileFile setting was when they were loaded; empty if there are none.
  const std::string& loaded_quantiles() const { return loaded_quantiles_; }

 private:
  void apply_hash(std::vector<std::string>& sentences);
  void apply_threads(std::vector<std::string>& sentences);
  void apply_network(std::vector<std::string>& sentences);
  void apply_policy(std::vector<std::string>& sentences);
  void apply_quantiles(std::vector<std::string>& sentences);
  void apply_tablebases(std::vector<std::string>& sentences);

  EngineConfig config_;
  chess::Position position_;
  search::TranspositionTable table_;
  std::optional<ChosenModels> chosen_;
  std::string loaded_file_;
  std::optional<std::string> tried_file_;  // the last network asked for, found or not
  std::shared_ptr<const nets::Network> policy_;
  std::string policy_source_;
  std::string tried_policy_;  // the last one asked for, found or not
  std::shared_ptr<const nnue::QuantileForward> quantiles_;
  std::string loaded_quantiles_;
  std::string tried_quantiles_;  // the last one asked for, found or not, and for which network
  const nnue::Model* tried_base_ = nullptr;
  chess::Tablebases tablebases_;
  std::string opened_syzygy_;
  // Only a limited strength is left to chance; the seed makes two games differ.
  Rng rng_{static_cast<std::uint64_t>(search::Clock::now().time_since_epoch().count())};
  std::optional<CarelessListener> careless_;
  int searcher_threads_ = 0;
  const nnue::QuantileForward* searcher_quantiles_ = nullptr;  // that the searcher uses
  search::SearchNumbers searcher_numbers_;
  std::unique_ptr<search::Searcher> searcher_;
};

}  // namespace aleph::engine
