// Activations of vectors. Errors are within a few units of the last place, near zeros of the curve
// within 2e-7 absolutely.
#pragma once

#include "nets/spec/net_spec.h"

namespace aleph::nets::kernels {
namespace {

// e^x = 2^n e^r with |r| <= ln(2) / 2. Below -87 it stays at e^-87, above 88 at e^88.
template <class Isa>
typename Isa::Floats exponential(typename Isa::Floats x) {
  x = Isa::larger(Isa::smaller(x, Isa::all(88.0F)), Isa::all(-87.0F));
  const auto n = Isa::rounded(Isa::multiply(x, Isa::all(1.44269504F)));
  auto r = Isa::multiply_add(n, Isa::all(-0.693359375F), x);  // ln 2 in two parts
  r = Isa::multiply_add(n, Isa::all(2.12194440e-4F), r);
  auto sum = Isa::all(1.0F / 5040);
  for (const float factor : {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F})
    sum = Isa::multiply_add(sum, r, Isa::all(factor));
  return Isa::scaled_by_power(sum, n);
}

template <class Isa>
struct Curves {
  using Floats = typename Isa::Floats;

  static Floats one() { return Isa::all(1.0F); }
  static Floats negative(Floats x) { return Isa::subtract(Isa::zero(), x); }

  struct None {
    static Floats of(Floats x) { return x; }
  };
  struct Relu {
    static Floats of(Floats x) { return Isa::larger(x, Isa::zero()); }
  };
  struct Relu2 {
    static Floats of(Floats x) {
      const Floats positive = Isa::larger(x, Isa::zero());
      return Isa::multiply(positive, positive);
    }
  };
  struct Sigmoid {
    static Floats of(Floats x) {
      return Isa::divide(one(), Isa::add(one(), exponential<Isa>(negative(x))));
    }
  };
  struct Swish {
    static Floats of(Floats x) {
      return Isa::divide(x, Isa::add(one(), exponential<Isa>(negative(x))));
    }
  };
  // tanh(ln(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2); from 20 on it is 1.
  struct Mish {
    static Floats of(Floats x) {
      const Floats e = exponential<Isa>(Isa::smaller(x, Isa::all(20.0F)));
      const Floats n = Isa::multiply(e, Isa::add(e, Isa::all(2.0F)));
      return Isa::divide(Isa::multiply(x, n), Isa::add(n, Isa::all(2.0F)));
    }
  };
  struct Selu {
    static Floats of(Floats x) {
      const Floats low = Isa::multiply(Isa::subtract(exponential<Isa>(x), one()),
                                       Isa::all(1.05070098F * 1.67326324F));
      return Isa::if_less(Isa::zero(), x, Isa::multiply(x, Isa::all(1.05070098F)), low);
    }
  };
  // Below 5/8 by a series, since 1 - e would lose digits.
  struct Tanh {
    static Floats of(Floats x) {
      const Floats size = Isa::magnitude(x), square = Isa::multiply(x, x);
      const Floats e = exponential<Isa>(Isa::multiply(size, Isa::all(-2.0F)));
      const Floats far = Isa::divide(Isa::subtract(one(), e), Isa::add(one(), e));
      Floats series = Isa::all(-5.70498872745e-3F);
      for (const float factor :
           {2.06390887954e-2F, -5.37397155531e-2F, 1.33314422036e-1F, -3.33332819422e-1F})
        series = Isa::multiply_add(series, square, Isa::all(factor));
      const Floats near = Isa::multiply_add(Isa::multiply(series, square), x, x);
      return Isa::if_less(size, Isa::all(0.625F), near, Isa::with_sign_of(far, x));
    }
  };
  // Half the complement of the error function by Abramowitz and Stegun 7.1.26 (error 1.5e-7).
  struct Gelu {
    static Floats of(Floats x) {
      const Floats z = Isa::multiply(Isa::magnitude(x), Isa::all(0.707106781F));
      const Floats t = Isa::divide(one(), Isa::multiply_add(z, Isa::all(0.3275911F), one()));
      Floats sum = Isa::all(0.5F * 1.061405429F);
      for (const float factor : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F})
        sum = Isa::multiply_add(sum, t, Isa::all(0.5F * factor));
      sum = Isa::multiply(sum, t);
      const Floats tail = Isa::multiply(sum, exponential<Isa>(negative(Isa::multiply(z, z))));
      const Floats part = Isa::if_less(x, Isa::zero(), tail, Isa::subtract(one(), tail));
      return Isa::multiply(x, part);
    }
  };
};

// Calls `work` with the curve's type.
template <class Isa, class Work>
void with_curve(Activation activation, Work work) {
  using All = Curves<Isa>;
  switch (activation) {
    case Activation::None: return work(typename All::None{});
    case Activation::Relu: return work(typename All::Relu{});
    case Activation::Mish: return work(typename All::Mish{});
    case Activation::Swish: return work(typename All::Swish{});
    case Activation::Relu2: return work(typename All::Relu2{});
    case Activation::Selu: return work(typename All::Selu{});
    case Activation::Gelu: return work(typename All::Gelu{});
    case Activation::Tanh: return work(typename All::Tanh{});
    case Activation::Sigmoid: return work(typename All::Sigmoid{});
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
