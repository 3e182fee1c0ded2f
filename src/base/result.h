#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

// A value, or the reason there is none. Stand-in for C++23 std::expected.
//
//   Result<int> parse(std::string_view text);     // return 5;  or  return Error{"not a number"};
//   if (auto number = parse(text); !number.ok()) report(number.error());
//
// The message is one sentence for a person, without a final stop: "rank 3 has 9 squares".
// Asking for the side that is not there is a programmer's error: it asserts.
namespace aleph {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  const T& value() const { return assert(ok()), *std::get_if<0>(&state_); }
  // Moves the value out: for types that cannot or should not be copied.
  T take() { return assert(ok()), std::move(*std::get_if<0>(&state_)); }
  const std::string& error() const { return assert(!ok()), std::get_if<1>(&state_)->message; }

 private:
  std::variant<T, Error> state_;
};

// For work that gives no value: return Status::success(), or an Error.
class [[nodiscard]] Status {
 public:
  static Status success() { return Status(); }
  Status(Error error) : failed_(true), message_(std::move(error.message)) {}

  bool ok() const { return !failed_; }
  const std::string& error() const { return assert(failed_), message_; }

 private:
  Status() = default;
  bool failed_ = false;
  std::string message_;
};

}  // namespace aleph
