#include "nets/executor/moments.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "nets/kernels/packing.h"

namespace aleph::nets {

void Moments::add(const kernels::Kernels& kernels, const kernels::Rows& rows) {
  if (rows.rows == 0) return;
  std::vector<float> columns(width_ * rows.rows);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    float high = 0, low = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      const float number = rows.in[row * rows.stride + i];
      columns[i * rows.rows + row] = number;
      sums_[i] += double{number};
      high = std::max(high, number);
      low = std::min(low, number);
    }
    const double step = (double{high} - low) / kernels::kMostByte;
    noise_ += step * step / 12;  // what is cut off is anything from minus to plus half a step
  }
  // The product of this matrix with itself, as a layer whose weights are its own inputs.
  const AlignedVector<float> panels = kernels::pack_floats(columns, width_, rows.rows);
  std::vector<float> added(products_.size());
  kernels.product({columns.data(),
                   rows.rows,
                   rows.rows,
                   panels.data(),
                   {added.data(), width_, width_, width_},
                   {}});
  for (std::size_t i = 0; i < added.size(); ++i) products_[i] += added[i];
  rows_ += rows.rows;
}

void Moments::add(const Moments& other) {
  assert(other.width_ == width_);
  rows_ += other.rows_;
  noise_ += other.noise_;
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  for (std::size_t i = 0; i < products_.size(); ++i) products_[i] += other.products_[i];
}

bool Moments::is_finite() const {
  return std::all_of(products_.begin(), products_.end(),
                     [](float product) { return std::isfinite(product); });
}

std::vector<double> Moments::means() const {
  std::vector<double> means = sums_;
  for (double& mean : means) mean /= static_cast<double>(rows_);
  return means;
}

std::vector<double> Moments::products(bool centred) const {
  std::vector<double> products(products_.begin(), products_.end());
  const std::vector<double> mean = means();
  for (std::size_t i = 0; i < width_; ++i)
    for (std::size_t j = 0; j < width_; ++j) {
      double& product = products[i * width_ + j];
      product /= static_cast<double>(rows_);
      if (centred) product -= mean[i] * mean[j];
    }
  return products;
}

}  // namespace aleph::nets
