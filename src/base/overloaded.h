#pragma once

// One function object out of several, for std::visit:
//
//   std::visit(Overloaded{[](int n) { ... }, [](const std::string& s) { ... }}, variant);
namespace aleph {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace aleph
