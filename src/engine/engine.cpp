#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <thread>

#include "engine/policy_choice.h"
#include "engine/quantile_choice.h"
#include "search/alpha_beta/parallel_search.h"
#include "search/alpha_beta/quantile_search.h"

namespace aleph::engine {

Engine::Engine(EngineConfig config) : config_(std::move(config)) {}

Engine::~Engine() {
  stop();
  wait();
}

std::vector<std::string> Engine::apply() {
  std::vector<std::string> sentences;
  wait();
  apply_hash(sentences);
  apply_network(sentences);
  apply_policy(sentences);
  apply_quantiles(sentences);
  apply_tablebases(sentences);
  const bool other_numbers = search::kTuning && searcher_numbers_ != config_.numbers;
  const bool other_quantiles = searcher_quantiles_ != quantiles().get();
  if (chosen_ &&
      (!searcher_ || searcher_threads_ != config_.threads || other_numbers || other_quantiles)) {
    search::use_numbers(config_.numbers);
    searcher_numbers_ = config_.numbers;
    apply_threads(sentences);
  }
  return sentences;
}

void Engine::apply_threads(std::vector<std::string>& sentences) {
  searcher_.reset();  // before the new one is made: it may need the memory
  for (;;) {
    try {
      const eval::NnueModels& models = chosen_->models;
      if (quantiles() != nullptr)
        searcher_ = std::make_unique<search::QuantileSearch>(
            table_, eval::QuantileModels{models, quantiles()}, config_.threads);
      else
        searcher_ = std::make_unique<search::ParallelSearch>(table_, models, config_.threads);
      searcher_quantiles_ = quantiles().get();
      searcher_threads_ = config_.threads;
      return;
    } catch (const std::exception&) {  // no memory, or no more threads to be had
      if (config_.threads == 1) throw;
      const int fewer = std::max(1, std::min(searcher_threads_, config_.threads - 1));
      sentences.push_back(
          fmt::format("Threads: there is no memory for {}, using {}", config_.threads, fewer));
      config_.threads = fewer;
    }
  }
}

void Engine::apply_hash(std::vector<std::string>& sentences) {
  const auto wanted = static_cast<std::size_t>(config_.hash_mib);
  if (table_.mebibytes() == wanted) return;
  try {
    table_.resize(wanted);
    // Now, so that no search waits for the system to find the memory. Threads may be more than
    // there can be: how many is found out later.
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    table_.clear(std::clamp(processors, 1, config_.threads));
  } catch (const std::bad_alloc&) {
    if (table_.mebibytes() == 0) table_.resize(1);
    sentences.push_back(
        fmt::format("Hash: there is no memory for {} MiB, keeping {}", wanted, table_.mebibytes()));
    config_.hash_mib = static_cast<int>(table_.mebibytes());
  }
}

void Engine::apply_network(std::vector<std::string>& sentences) {
  if (tried_file_ == config_.eval_file) return;
  tried_file_ = config_.eval_file;
  auto chosen = choose_models(config_.eval_file);
  if (!chosen.ok()) {
    sentences.push_back("EvalFile: " + chosen.error() +
                        (chosen_ ? "; keeping " + chosen_->source : std::string()));
    return;
  }
  searcher_.reset();  // it uses the old network
  chosen_ = chosen.take();
  loaded_file_ = config_.eval_file;
  sentences.push_back("network: " + chosen_->source);
}

void Engine::apply_policy(std::vector<std::string>& sentences) {
  if (tried_policy_ == config_.policy_file) return;
  tried_policy_ = config_.policy_file;
  if (config_.policy_file.empty()) {
    policy_.reset();
    return;
  }
  auto chosen = choose_policy_network(config_.policy_file);
  if (!chosen.ok()) {
    sentences.push_back("PolicyFile: " + chosen.error() +
                        (policy_ ? "; keeping " + policy_source_ : std::string()));
    return;
  }
  policy_ = chosen.value().network;
  policy_source_ = chosen.value().source;
  sentences.push_back("policy network: " + policy_source_);
}

// Without a file that can be used, the search goes on with the plain evaluation.
void Engine::apply_quantiles(std::vector<std::string>& sentences) {
  if (tried_quantiles_ == config_.quantile_file && tried_base_ == model()) return;
  tried_quantiles_ = config_.quantile_file;
  tried_base_ = model();
  if (quantiles_ != nullptr) searcher_.reset();  // it uses them
  quantiles_.reset();
  loaded_quantiles_.clear();
  if (config_.quantile_file.empty() || model() == nullptr) return;
  auto chosen = choose_quantiles(config_.quantile_file, *model());
  if (!chosen.ok()) {
    sentences.push_back("QuantileFile: " + chosen.error() + "; using the plain evaluation");
    return;
  }
  quantiles_ = chosen.value().quantiles;
  loaded_quantiles_ = config_.quantile_file;
  sentences.push_back("quantile network: " + chosen.value().source);
}

void Engine::apply_tablebases(std::vector<std::string>& sentences) {
  if (opened_syzygy_ == config_.syzygy_path) return;
  opened_syzygy_ = config_.syzygy_path;
  tablebases_ = chess::Tablebases::open(config_.syzygy_path);
  for (const std::string& warning : tablebases_.warnings())
    sentences.push_back("SyzygyPath: " + warning);
  sentences.push_back(fmt::format("tablebases: {} WDL and {} DTZ files, up to {} pieces",
                                  tablebases_.wdl_tables(), tablebases_.dtz_tables(),
                                  tablebases_.max_pieces()));
}

bool Engine::go(search::Limits limits, search::ProgressListener& listener,
                std::vector<std::string>* sentences) {
  auto said = apply();
  if (sentences != nullptr) *sentences = std::move(said);
  if (!searcher_) return false;
  limits.overhead = search::Milliseconds(config_.overhead_ms);
  search::SearchOptions options;
  options.lines = config_.lines;
  if (tablebases_.max_pieces() > 0)
    options.tablebases = {&tablebases_, config_.syzygy_probe_depth,
                          std::min(config_.syzygy_probe_limit, tablebases_.max_pieces()),
                          config_.syzygy_fifty_move_rule};
  search::ProgressListener* heard = &listener;
  if (config_.limit_strength) {
    const Strength strength = strength_of(config_.elo);
    limits.nodes = std::min(limits.nodes.value_or(strength.nodes), strength.nodes);
    options.lines = std::max(options.lines, kCarelessLines);
    careless_.emplace(listener, config_.lines, strength.carelessness, rng_);
    heard = &*careless_;
  }
  searcher_->start(position_, limits, options, *heard);
  return true;
}

void Engine::stop() {
  if (searcher_) searcher_->stop();
}

void Engine::ponder_hit() {
  if (searcher_) searcher_->ponder_hit();
}

void Engine::wait() {
  if (searcher_) searcher_->wait();
}

void Engine::new_game() {
  wait();
  table_.clear(config_.threads);
  if (searcher_) searcher_->forget();
}

void Engine::clear_hash() { new_game(); }

}  // namespace aleph::engine
