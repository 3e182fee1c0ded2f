// Kernels for any processor: the compiler makes of vectors of four what there is.
#include "nets/kernels/kernels.h"
#include "nets/kernels/templates/portable_isa.h"
#include "nets/kernels/templates/table.h"

namespace aleph::nets::kernels {
namespace {
constexpr Kernels kKernels = table_of<Portable>("portable");
}  // namespace
const Kernels& portable_kernels() { return kKernels; }
}  // namespace aleph::nets::kernels
