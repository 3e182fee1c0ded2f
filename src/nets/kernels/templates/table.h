// All kernels of an instruction set.
#pragma once

#include "nets/kernels/templates/attention.h"
#include "nets/kernels/templates/product.h"
#include "nets/kernels/templates/rounding.h"
#include "nets/kernels/templates/rows.h"
#include "nets/kernels/templates/whole_product.h"
#include "nets/kernels/templates/winograd.h"
#include "nets/kernels/templates/winograd_words.h"

namespace aleph::nets::kernels {
namespace {

template <class Isa>
constexpr Kernels table_of(std::string_view name) {
  return {name,
          product<Isa>,
          byte_product<Isa>,
          word_product<Isa>,
          round_to_bytes<Isa>,
          round_to_words<Isa>,
          terms_of_words<Isa>,
          norm<Isa>,
          attention<Isa>,
          pack_rows<Isa>,
          winograd_in<Isa>,
          winograd_words_in<Isa>,
          winograd_out<Isa>,
          excite<Isa>,
          mean_rows<Isa>,
          finish_rows<Isa>};
}

}  // namespace
}  // namespace aleph::nets::kernels
